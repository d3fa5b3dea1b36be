// origin: 2 | '{"settings"
const text = '{"settings": {"colour": "red"}}';
const config = JSON.parse(text);

function theme(settings) {
  return settings.color.toUpperCase();
}

console.log(theme(config.settings));
