-- masks and truncation on every kind of column: what they change, what they only label
-- @config column.mask.with.3.chars=mk\.kinds\.m_.*
-- @config column.mask.hash.SHA-256.with.salt.s1=mk\.kinds\.h_.*
-- @config column.mask.hash.v2.SHA-256.with.salt.s2=mk\.kinds\.v_.*
-- @config column.truncate.to.4.chars=mk\.kinds\.t_.*
-- @before
create database mk;
create table mk.kinds(id int not null primary key,
 m_en enum('one','two'), m_st set('x','y'), m_js json, m_dc decimal(6,2), m_bn binary(4), m_ch char(6), m_tx text, m_dt datetime, m_ts timestamp null, m_bt bit(3), m_yr year, m_nn varchar(10) not null,
 h_en enum('one','two'), h_st set('x','y'), h_js json, h_dc decimal(6,2), h_bn varbinary(9), h_ch char(6), h_tx text, h_ts timestamp null, h_nn varchar(10) not null default 'dd',
 v_en enum('one','two'), v_st set('x','y'), v_js json, v_dc decimal(6,2), v_bn varbinary(9), v_ch char(6), v_tx longtext, v_ts timestamp null,
 t_en enum('one','twotwo'), t_st set('xxxxx','y'), t_js json, t_dc decimal(6,2), t_bn binary(6), t_vb varbinary(9), t_bl blob, t_ch char(6), t_tx text, t_dt datetime, t_ts timestamp null, t_tn timestamp not null default '2020-01-02 03:04:05', t_bt bit(40), t_bi bigint, t_v4 varchar(4), t_v5 varchar(5), t_tx9 text(9));
insert into mk.kinds values(1,'one','x','{"a": 1}',1.5,'b','char','text','2024-01-02 03:04:05','2024-01-02 03:04:05',b'101',2024,'n',
 'one','x','{"a": 1}',1.5,'b','char','text','2024-01-02 03:04:05','n',
 'two','x,y','{"a": 1}',1.5,'b','char','text','2024-01-02 03:04:05',
 'twotwo','xxxxx,y','{"abcd": 1}',1234.5,'bbbbbb','ccccccc','blobblob','char','text text','2024-01-02 03:04:05','2024-01-02 03:04:05','2024-01-02 03:04:05',b'1111111111111111111111111111111111111111',123456,'v444','v5555','text nine');
insert into mk.kinds(id,m_nn,t_tn) values(2,'',default);
-- @after
insert into mk.kinds values(3,'one','x','{"a": 1}',1.5,'b','char','text','2024-01-02 03:04:05','2024-01-02 03:04:05',b'101',2024,'n',
 'one','x','{"a": 1}',1.5,'b','char','text','2024-01-02 03:04:05','n',
 'two','x,y','{"a": 1}',1.5,'b','char','text','2024-01-02 03:04:05',
 'twotwo','xxxxx,y','{"abcd": 1}',1234.5,'bbbbbb','ccccccc','blobblob','char','text text','2024-01-02 03:04:05','2024-01-02 03:04:05','2024-01-02 03:04:05',b'1111111111111111111111111111111111111111',123456,'v444','v5555','text nine');
insert into mk.kinds(id,m_nn,t_tn) values(4,'',default);
update mk.kinds set m_ch='other', h_ch='other', v_ch='other', t_ch='other' where id=1;
delete from mk.kinds where id=2;
