//! Who may come in, and what is said to whom who may not.

use crate::stage::{Hand, await_workers, offer, request, settings, with_server_and};
use formicary_cluster::{ClusterClient, ClusterError, ClusterSettings};

#[test]
fn a_password_is_needed_and_never_told() {
    let name = "a_password_is_needed_and_never_told";
    with_server_and(name, &["--user", "ann", "--pass", "s3cret/2"], |server| async move {
        let at = |login: &str| server.url().replace("nats://", &format!("nats://{login}"));
        let client = ClusterClient::connect(settings(at("ann:s3cret%2F2@"))).await.unwrap();
        let _hand = Hand::start(settings(at("ann:s3cret%2F2@")), 1, offer(&["python"])).await;
        await_workers(&client, 1).await;
        assert_eq!(client.execute(request("hello")).await.unwrap().stdout, "hello");
        for login in ["", "ann:wr0ng@", "t0ken@"] {
            let error = ClusterClient::connect(settings(at(login))).await.err().unwrap();
            assert!(matches!(error, ClusterError::Unreachable { .. }), "{error:?}");
            let told = format!("{error} {error:?}");
            assert!(!told.contains("wr0ng") && !told.contains("t0ken"), "{told}");
            assert!(told.contains("authorization"), "{told}");
        }
    });
}

#[test]
fn a_token_opens() {
    with_server_and("a_token_opens", &["--auth", "t0ken"], |server| async move {
        let at = server.url().replace("nats://", "nats://t0ken@");
        ClusterClient::connect(settings(at)).await.unwrap();
        assert!(ClusterClient::connect(settings(server.url())).await.is_err());
    });
}

#[test]
fn what_is_wrong_is_named() {
    with_server_and("what_is_wrong_is_named", &[], |server| async move {
        let good = settings(server.url());
        let missing = || Some(std::path::PathBuf::from("/nowhere/file"));
        let cases = [
            (ClusterSettings { url: "nats://127.0.0.1:1".into(), ..good.clone() }, "nats://127.0.0.1:1"),
            (ClusterSettings { url: String::new(), ..good.clone() }, "empty"),
            (ClusterSettings { url: "ftp://x".into(), ..good.clone() }, "ftp://x"),
            (ClusterSettings { name: "a.b".into(), ..good.clone() }, "a.b"),
            (ClusterSettings { credentials: missing(), ..good.clone() }, "/nowhere/file"),
            (ClusterSettings { ca: missing(), ..good.clone() }, "/nowhere/file"),
            (ClusterSettings { replicas: 3, name: "three".into(), ..good.clone() }, "streams"),
        ];
        for (settings, word) in cases {
            let error = ClusterClient::connect(settings).await.err().unwrap().to_string();
            assert!(error.contains(word), "{word}: {error}");
        }
    });
}
