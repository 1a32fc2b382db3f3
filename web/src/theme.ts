// Light or dark: what the system says, until the reader chooses.
import { byId } from './dom';

const KEY = 'plumb-theme';

export function setUpTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = localStorage.getItem(KEY);
  const apply = (theme: string) => { dataset['theme'] = theme; };
  apply(chosen ?? (isDark.matches ? 'dark' : 'light'));
  isDark.addEventListener('change', () => {
    if (!localStorage.getItem(KEY)) apply(isDark.matches ? 'dark' : 'light');
  });
  byId('theme').addEventListener('click', () => {
    const next = dataset['theme'] === 'dark' ? 'light' : 'dark';
    localStorage.setItem(KEY, next);
    apply(next);
  });
}
