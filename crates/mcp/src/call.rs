//! What a tool has at hand: the platform, the folder, progress, cancellation, the store.

use crate::door::House;
use crate::progress::Progress;
use crate::store::Store;
use formicary_model::{EventKind, Failure, Observer};
use formicary_platform::policy::{Files, Policy};
use formicary_platform::tenants::{LOCAL, Tenant};
use formicary_platform::use_case::{Context, UseCase};
use formicary_platform::{Cancel, Platform};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One call of a tool.
pub(crate) struct Call {
    pub(crate) house: Arc<House>,
    pub(crate) tenant: Tenant,
    pub(crate) store: Arc<Store>,
    pub(crate) cancel: Cancel,
    pub(crate) progress: Progress,
}

impl Call {
    pub(crate) fn platform(&self) -> &Platform {
        &self.house.platform
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Performs a use case with these arguments. `renamed` are former names of arguments, which are still understood.
    pub(crate) fn perform<U: UseCase>(
        &self,
        mut arguments: Map<String, Value>,
        renamed: &[(&str, &str)],
    ) -> Result<U::Output, Failure> {
        for (former, name) in renamed {
            if let Some(value) = arguments.remove(*former) {
                arguments.entry(*name).or_insert(value);
            }
        }
        self.perform_read::<U>(self.read::<U>(arguments)?)
    }

    /// The input of a use case from these arguments.
    pub(crate) fn read<U: UseCase>(&self, arguments: Map<String, Value>) -> Result<U::Input, Failure> {
        self.platform().read::<U>(Value::Object(arguments))
    }

    /// Performs a use case with an input that was read.
    pub(crate) fn perform_read<U: UseCase>(&self, input: U::Input) -> Result<U::Output, Failure> {
        let observer = Events { call: self, tell: true };
        let context =
            Context::new(self.caller(), self.policy()).observed(&observer).until(self.cancel.clone());
        self.platform().perform::<U>(&context, input)
    }

    /// What the caller may ask for: a tenant as much as over HTTP, the user's own program what lies beneath the root.
    pub(crate) fn policy(&self) -> Policy {
        let root = self.house.root.clone();
        match self.tenant.id == LOCAL {
            true => Policy::assistant(root),
            false => Policy::tenant(&self.tenant, Files::Beneath(root)),
        }
    }
}

struct Events<'a> {
    call: &'a Call,
    tell: bool,
}

impl Observer for Events<'_> {
    fn event(&self, event: &formicary_model::Event) {
        if let EventKind::Finished { usage, .. } = &event.kind {
            self.call.charge(usage.cpu_user + usage.cpu_system);
        }
        if self.tell {
            self.call.progress.event(event);
        }
    }

    fn aside(&self, event: &formicary_model::Event) {
        Events { call: self.call, tell: false }.event(event);
    }

    fn progress(&self, progress: &formicary_model::Progress) {
        match progress.done {
            0 => self.call.progress.step(&progress.what),
            done => self.call.progress.count(&progress.what, done as usize, progress.total as usize),
        }
    }
}
