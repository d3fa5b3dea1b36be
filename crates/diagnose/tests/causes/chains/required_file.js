// origin: settings.js:2 | null
const { settings } = require("./settings");

console.log(settings.database.host);
// file: settings.js
const settings = {
  database: null,
};
module.exports = { settings };
