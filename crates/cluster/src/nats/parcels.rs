//! Values of any size. NATS refuses messages above its limit (1 MiB unless set otherwise), so what is large goes to the
//! object store and the message holds its name.

use crate::error::{ClusterError, refused};
use crate::job::new_id;
use crate::queue::Unreadable;
use async_nats::Client;
use async_nats::jetstream::object_store::ObjectStore;
use bytes::Bytes;
use tokio::io::AsyncReadExt as _;

/// In front of an object's name; JSON never begins so.
const MARK: u8 = b'@';
/// Room for headers and the protocol.
const ROOM: usize = 8 * 1024;
/// Above this a message is a burden to the stream even where NATS would take it.
const INLINE: usize = 512 * 1024;
/// Nothing larger travels.
const MOST: usize = 256 * 1024 * 1024;

/// Packs and unpacks.
#[derive(Clone)]
pub struct Parcels {
    client: Client,
    objects: ObjectStore,
}

impl Parcels {
    /// With this object store.
    pub fn new(client: Client, objects: ObjectStore) -> Self {
        Self { client, objects }
    }

    /// The bytes as a message holds them. `kind` and `id` are for people who look into the store.
    pub async fn pack(&self, kind: &str, id: &str, bytes: &[u8]) -> Result<Bytes, ClusterError> {
        let most = self.client.max_payload().saturating_sub(ROOM).min(INLINE);
        if bytes.len() <= most {
            return Ok(bytes.to_vec().into());
        }
        if bytes.len() > MOST {
            return Err(ClusterError::invalid(
                format!("the {kind} {id} has {} bytes, and {MOST} is the most that travels", bytes.len()),
                "send less, or collect fewer files",
            ));
        }
        let name = new_id(&format!("{kind}-{id}-"))?;
        let mut reader = bytes;
        self.objects.put(name.as_str(), &mut reader).await.map_err(refused("store a large file"))?;
        Ok([&[MARK], name.as_bytes()].concat().into())
    }

    /// The bytes that were packed.
    pub async fn unpack(&self, parcel: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let Some(name) = stored(parcel) else { return Ok(parcel.to_vec()) };
        let unavailable = |error: &dyn std::fmt::Display| {
            Unreadable::Unavailable(ClusterError::Queue {
                what: "fetch a large file",
                why: error.to_string(),
            })
        };
        let name = name.map_err(|_| Unreadable::Broken("the name of its parcel is not UTF-8".into()))?;
        let mut object = self.objects.get(name).await.map_err(|error| match error.kind() {
            async_nats::jetstream::object_store::GetErrorKind::NotFound => {
                Unreadable::Broken(format!("its parcel {name} is gone"))
            }
            _ => unavailable(&error),
        })?;
        if object.info.size > MOST {
            return Err(Unreadable::Broken(format!("its parcel has {} bytes", object.info.size)));
        }
        let mut bytes = Vec::with_capacity(object.info.size);
        object.read_to_end(&mut bytes).await.map_err(|error| unavailable(&error))?;
        Ok(bytes)
    }

    /// Removes what a parcel left in the store. What cannot be removed expires.
    pub async fn discard(&self, parcel: &[u8]) {
        if let Some(Ok(name)) = stored(parcel) {
            let _ = self.objects.delete(name).await;
        }
    }
}

fn stored(parcel: &[u8]) -> Option<Result<&str, std::str::Utf8Error>> {
    let (mark, name) = parcel.split_first()?;
    (*mark == MARK).then(|| std::str::from_utf8(name))
}
