/**
 * English messages of the first paint: in a build, those that the boot chunk names
 * (`scripts/vite/catalogue-plugin.ts`); elsewhere all.
 */
import english from './en.json'

export const bootMessages: Readonly<Record<string, string>> = english
