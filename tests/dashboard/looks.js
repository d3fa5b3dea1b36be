// What every page must have, checked inside the browser: readable colours, names for controls, nothing wider than the screen.

/** Texts whose contrast with what is behind them is below 4.5 to 1. */
export function poorContrast(page) {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const colour = (text) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = '#000';
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      return { r, g, b, a: a / 255 };
    };
    const light = ({ r, g, b }) => {
      const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const found = colour(getComputedStyle(at).backgroundColor);
        if (found.a > 0.9) return found;
      }
      return { r: 255, g: 255, b: 255, a: 1 };
    };
    const poor = [];
    for (const element of document.querySelectorAll('body *')) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
      if (!own || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest(':disabled, [aria-hidden="true"], .visually-hidden, option')) continue;
      if (getComputedStyle(element).color === 'rgba(0, 0, 0, 0)') continue;
      const [a, b] = [light(colour(getComputedStyle(element).color)), light(behind(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${element.tagName} ${element.className} “${element.textContent.trim().slice(0, 40)}”`);
    }
    return [...new Set(poor)];
  });
}

/** Controls that have no name for those who cannot see them. */
export function nameless(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea, a[href], img')]
      .filter((element) => {
        if (element.tagName === 'IMG') return !element.hasAttribute('alt');
        const label = element.getAttribute('aria-label') || element.labels?.[0]?.textContent || element.textContent || element.title;
        return !label?.trim();
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** How much wider the page is than the screen. */
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
