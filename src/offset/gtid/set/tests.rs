use super::*;

const A: &str = "0a0a0a0a-71ca-11e1-9e33-c80aa9429562";
const B: &str = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

fn set(text: &str) -> GtidSet {
    text.replace('A', A).replace('B', B).parse().unwrap()
}

fn printed(set: &GtidSet) -> String {
    set.to_string().replace(A, "A").replace(B, "B")
}

#[test]
fn sets_print_as_the_server_prints_them() {
    for (text, canonical) in [
        ("", ""),
        ("B:1-5", "B:1-5"),
        ("B:7:1-5,\nA:3", "A:3,B:1-5:7"),
        ("B:1-5:6:7-9", "B:1-9"),
        ("B:tag_b:4:1-2:tag_a:9,B:1", "B:1:tag_a:9:tag_b:1-2:4"),
        ("B:TAG:1", "B:tag:1"),
        ("A:t:1,B:t:1-2", "A:t:1,B:t:1-2"),
        (" B : 1 - 3 , , ", "B:1-3"),
        ("B", ""),
    ] {
        assert_eq!(printed(&set(text)), canonical, "{text}");
    }
}

#[test]
fn nonsense_is_refused() {
    for text in [
        "x",
        "A:0",
        "A:5-1",
        "A::1",
        "A:1-",
        "A:-1",
        "A:+1",
        "A:1-9223372036854775807",
        "A:1;B:2",
        "A:tag-x:1",
    ] {
        assert!(text.replace('A', A).replace('B', B).parse::<GtidSet>().is_err(), "{text}");
    }
}

#[test]
fn set_operations() {
    let one = set("A:1-10:t:1-3,B:5");
    let other = set("A:4-6:20,B:5-6");
    assert_eq!(printed(&one.union(&other)), "A:1-10:20:t:1-3,B:5-6");
    assert_eq!(printed(&one.subtract(&other)), "A:1-3:7-10:t:1-3");
    assert_eq!(printed(&one.intersect(&other)), "A:4-6,B:5");
    assert_eq!(printed(&one.overlay(&other)), "A:4-6:20:t:1-3,B:5-6");
    assert_eq!(printed(&one.restrict_to_tsids_of(&other)), "A:1-10,B:5");
    assert_eq!(printed(&one.restrict(|tsid| tsid.uuid_text() == A)), "A:1-10:t:1-3");
    assert!(set("A:4-6").is_subset(&one) && !other.is_subset(&one) && set("").is_subset(&one));
}

#[test]
fn transactions_are_added_one_by_one() {
    let mut all = set("A:1-4");
    for gtid in ["A:6", "A:5", "B:1", "A:tag:1"] {
        let gtid: Gtid = gtid.replace('A', A).replace('B', B).parse().unwrap();
        assert!(!all.contains(&gtid));
        all.add(&gtid).unwrap();
        assert!(all.contains(&gtid));
    }
    assert_eq!(printed(&all), "A:1-6:tag:1,B:1");
    let gtid: Gtid = format!("{A}:tag:77").parse().unwrap();
    assert_eq!(gtid.to_string(), format!("{A}:tag:77"));
    assert!(format!("{A}:1-2").parse::<Gtid>().is_err() && A.parse::<Gtid>().is_err());
}
