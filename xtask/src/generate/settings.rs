//! The page of all settings and environment variables, from the platform's own table.

use super::{Artefact, FOLDER};
use formicary_platform::config::documentation;

pub(super) fn artefacts() -> Result<Vec<Artefact>, String> {
    Ok(vec![Artefact { path: format!("{FOLDER}/settings.md"), content: documentation::markdown() }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_platform::config::table::settings;

    #[test]
    fn every_variable_is_on_the_page() {
        let page = &artefacts().unwrap()[0].content;
        for setting in settings() {
            assert!(page.contains(&setting.variable), "{}", setting.variable);
        }
    }
}
