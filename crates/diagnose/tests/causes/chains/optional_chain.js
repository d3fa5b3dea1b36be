// origin: 2 | {name: 'x'}
const app = { name: "x" };

const port = app.server?.port;
console.log(port.toString());
