// expect: Error | - | raised
fn main() -> Result<(), String> {
    Err("no settings".into())
}
