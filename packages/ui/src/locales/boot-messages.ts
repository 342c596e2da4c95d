/** Messages of the first paint. `scripts/vite/catalogue-plugin.ts` keeps those that the boot chunk names. */
import english from './en.json'

export const bootMessages: Readonly<Record<string, string>> = english
