// expect: UnhandledPromiseRejection | - | raised
Promise.reject("not an error");
