// What the whole page knows of its visit: the key, whether the server answers, the theme. The key goes when the tab goes.

const KEY = 'formicary-key';
const THEME = 'formicary-theme';

export const session = $state({
  key: sessionStorage.getItem(KEY) ?? '',
  askForKey: false,
  refused: null,
  reachable: true,
  theme: localStorage.getItem(THEME) ?? 'auto',
});

/** Keeps the key for this tab. */
export function useKey(key) {
  session.key = key.trim();
  session.askForKey = false;
  if (session.key) sessionStorage.setItem(KEY, session.key);
  else sessionStorage.removeItem(KEY);
}

/** `auto`, `light` or `dark`. */
export function useTheme(theme) {
  session.theme = theme;
  localStorage.setItem(THEME, theme);
  showTheme();
}

/** Puts the chosen theme on the page. */
export function showTheme() {
  if (session.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = session.theme;
}
