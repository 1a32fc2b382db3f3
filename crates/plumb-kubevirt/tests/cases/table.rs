//! The table of API types, compared with the facts from which it was created, if they are
//! available.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plumb_testkit::Skip;
use serde_json::Value;

/// Types with another name whose contents documents do not use.
const SPECIAL: [(&str, &str); 4] = [
    ("resource.Quantity", "quantity"),
    ("intstr.IntOrString", "intOrString"),
    ("v1.Time", "time"),
    ("v1.FieldsV1", "any"),
];

pub(crate) const NAME: &str = "table::the_table_has_every_type_and_field_of_the_api";

pub(crate) fn run() -> Result<(), Skip> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let facts = root.join("../../../shared/reference/kubevirt-schema.json");
    let Ok(facts) = fs::read_to_string(facts) else {
        return Err(Skip("there is no file ../shared/reference/kubevirt-schema.json".to_owned()));
    };
    let facts: BTreeMap<String, Value> = serde_json::from_str(&facts).expect("the facts are JSON");
    let table = fs::read_to_string(root.join("src/api/kubevirt.txt")).expect("the table is there");
    for (name, fact) in &facts {
        let is_special = SPECIAL.iter().any(|(special, _)| special == name);
        if fact["kind"] != "struct" || is_special || name == "time.Time" {
            continue;
        }
        let fields = fact["fields"].as_array().expect("a struct has fields");
        let expected: Vec<String> = fields.iter().map(|field| line(field, &facts)).collect();
        let found = fields_of(&table, short(name));
        assert_eq!(found, expected, "{name}");
    }
    Ok(())
}

fn short(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, short)| short)
}

fn fields_of(table: &str, name: &str) -> Vec<String> {
    let lines = table.lines().skip_while(|line| *line != name).skip(1);
    let fields = lines.take_while(|line| line.starts_with(' '));
    fields.map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ")).collect()
}

fn line(field: &Value, facts: &BTreeMap<String, Value>) -> String {
    let text = |key: &str| field[key].as_str().expect("facts are texts");
    let name = if text("json").is_empty() { "-" } else { text("json") };
    let ty = match (text("go"), text("type")) {
        // Two types with the same name: the inner one is that of Kubernetes.
        ("PersistentVolumeClaimVolumeSource", "v1.PersistentVolumeClaimVolumeSource")
            if name == "-" && field["inline"] == true && is_claim_itself(field, facts) =>
        {
            "ClaimVolumeSource".to_owned()
        }
        (_, ty) => type_name(ty, facts),
    };
    format!("{name} {} {ty}", text("go"))
}

/// Whether this is the field of the type with that name which seems to contain itself.
fn is_claim_itself(field: &Value, facts: &BTreeMap<String, Value>) -> bool {
    let fields = facts["v1.PersistentVolumeClaimVolumeSource"]["fields"].as_array();
    fields.is_some_and(|fields| fields.iter().any(|it| std::ptr::eq(it, field)))
}

fn type_name(ty: &str, facts: &BTreeMap<String, Value>) -> String {
    if let Some(rest) = ty.strip_prefix('*') {
        return format!("*{}", type_name(rest, facts));
    }
    if let Some(rest) = ty.strip_prefix("[]") {
        return format!("[]{}", type_name(rest, facts));
    }
    if let Some((_, special)) = SPECIAL.iter().find(|(name, _)| *name == ty) {
        return (*special).to_owned();
    }
    match (ty, facts.get(ty).map(|fact| &fact["kind"])) {
        ("map[string]string", _) => "map:string".to_owned(),
        ("v1.ResourceList", _) => "map:quantity".to_owned(),
        (_, Some(kind)) if kind != "struct" => kind.as_str().expect("a kind").to_owned(),
        (_, Some(_)) => short(ty).to_owned(),
        (_, None) => ty.to_owned(),
    }
}
