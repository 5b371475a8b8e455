//! Answers compared with the published schema.

use serde_json::Value;

/// The schema of all answers.
pub struct Schema(pub Value);

impl Schema {
    pub fn read() -> Schema {
        Schema(serde_json::from_str(bouton_report::SCHEMA).unwrap())
    }

    /// Fails if a value is no answer of this kind: `solve`, `literature`.
    pub fn describes(&self, name: &str, value: &Value) -> Result<(), String> {
        if value.get("error").is_some() {
            return self.fits(&self.0["$defs"]["error"], value, "");
        }
        let named = &self.0["$defs"][name];
        if named.is_null() {
            return Err(format!("it has no definition {name}"));
        }
        self.fits(named, value, "")
            .or_else(|why| self.fits(&self.0["$defs"]["unknown"], value, "").map_err(|_| why))
    }

    /// Fails if a value is not as a part of the schema says. A key that this function does not know
    /// is a fault, so that nothing in the schema is without effect.
    fn fits(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let shown = || value.to_string().chars().take(120).collect::<String>();
        for (key, rule) in schema.as_object().unwrap() {
            match key.as_str() {
                "description" => {}
                "$ref" => {
                    let target = rule.as_str().unwrap().trim_start_matches("#/$defs/");
                    self.fits(self.0["$defs"].get(target).unwrap(), value, path)?;
                }
                "anyOf" => {
                    let all = rule.as_array().unwrap().iter();
                    let whys: Vec<String> =
                        all.map_while(|one| self.fits(one, value, path).err()).collect();
                    if whys.len() == rule.as_array().unwrap().len() {
                        // The one that fits furthest is the one that was meant.
                        return Err(whys.into_iter().max_by_key(|why| why.find(':')).unwrap());
                    }
                }
                "const" if rule != value => {
                    return Err(format!("{path}: {} is not {rule}", shown()));
                }
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    return Err(format!("{path}: {} is none of {rule}", shown()));
                }
                "type" => {
                    let is = |name: &str| match name {
                        "object" => value.is_object(),
                        "array" => value.is_array(),
                        "string" => value.is_string(),
                        "boolean" => value.is_boolean(),
                        "null" => value.is_null(),
                        "number" => value.is_number(),
                        "integer" => value.is_i64() || value.is_u64(),
                        other => panic!("no type {other}"),
                    };
                    let fits = match rule.as_array() {
                        Some(names) => names.iter().any(|name| is(name.as_str().unwrap())),
                        None => is(rule.as_str().unwrap()),
                    };
                    if !fits {
                        return Err(format!("{path}: {} is no {rule}", shown()));
                    }
                }
                "properties" => {
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        let path = format!("{path}.{name}");
                        match (rule.get(name), &schema["additionalProperties"]) {
                            (Some(known), _) => self.fits(known, inner, &path)?,
                            (None, Value::Bool(false)) => {
                                return Err(format!("{path}: not described"));
                            }
                            (None, other) => self.fits(other, inner, &path)?,
                        }
                    }
                }
                "additionalProperties" if schema.get("properties").is_none() => {
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        self.fits(rule, inner, &format!("{path}.{name}"))?;
                    }
                }
                "required" => {
                    let missing = rule.as_array().unwrap().iter().find(|name| {
                        value.is_object() && value.get(name.as_str().unwrap()).is_none()
                    });
                    if let Some(name) = missing {
                        return Err(format!("{path}: {name} is missing"));
                    }
                }
                "items" => {
                    for (at, inner) in value.as_array().into_iter().flatten().enumerate() {
                        self.fits(rule, inner, &format!("{path}[{at}]"))?;
                    }
                }
                "prefixItems" => {
                    let parts = rule.as_array().unwrap();
                    let both = value.as_array().into_iter().flatten().zip(parts).enumerate();
                    for (at, (inner, part)) in both {
                        self.fits(part, inner, &format!("{path}[{at}]"))?;
                    }
                }
                "minItems" | "maxItems" => {
                    let (count, bound) =
                        (value.as_array().map_or(0, Vec::len), rule.as_u64().unwrap());
                    let fits = if key == "minItems" {
                        count as u64 >= bound
                    } else {
                        count as u64 <= bound
                    };
                    if value.is_array() && !fits {
                        return Err(format!("{path}: {count} entries, {key} is {bound}"));
                    }
                }
                "minimum"
                    if value.as_f64().is_some_and(|number| number < rule.as_f64().unwrap()) =>
                {
                    return Err(format!("{path}: {} is less than {rule}", shown()));
                }
                "const" | "enum" | "additionalProperties" | "minimum" => {}
                other => panic!("the test does not know {other}"),
            }
        }
        Ok(())
    }
}
