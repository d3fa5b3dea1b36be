// origin: 6 | undefined
const { EventEmitter } = require("events");

const bus = new EventEmitter();
bus.on("order", (order) => console.log(order.items.length));
bus.emit("order", { id: 4, items: undefined });
