//! What the program may see of the network.

use super::refuse;
use formicary_model::{Failure, Network};

/// Refuses policies that cannot be enforced yet.
pub fn check_network(network: &Network) -> Result<(), Failure> {
    match network {
        Network::None | Network::Host => Ok(()),
        Network::Domains(domains) => Err(refuse(
            format!("network domains {domains:?}: domain allow-lists are not available yet"),
            "leave the network off (the default), or use network host to open all of it",
        )),
    }
}
