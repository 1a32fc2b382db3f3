import type { Files, Target } from './src/api';

export function targetOf(command: string): Target | undefined;
export function targetOfWords(words: string[]): Target | undefined;
export function usedBy(target: Target, files: Files): Files;
