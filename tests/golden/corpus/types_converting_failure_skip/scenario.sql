-- cells that have no form in the schema, skipped; times of the connector in defaults as well
-- @config event.converting.failure.handling.mode=skip
-- @config time.precision.mode=connect
-- @before
create database cf;
create table cf.t(id int not null primary key, t time, td time default '25:00:00', tn time not null default '01:02:03', tk time);
insert into cf.t values(1,'12:00:00','12:00:00','12:00:00','-01:00:00'),(2,'-00:00:01','100:00:00','13:00:00','24:00:00');
insert into cf.t(id) values(3);
-- @after
insert into cf.t values(4,'12:00:00','12:00:00','12:00:00','-01:00:00'),(5,'-00:00:01','100:00:00','13:00:00','24:00:00');
insert into cf.t(id) values(6);
insert into cf.t values(7,null,null,'838:59:59',null);
insert into cf.t values(8,null,null,'01:00:00',null);
