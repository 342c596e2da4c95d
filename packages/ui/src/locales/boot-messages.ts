/**
 * The English messages of the first paint: in a build those whose keys the boot chunk names (`scripts/vite/catalogue-plugin.ts`),
 * elsewhere the whole catalogue.
 */
import english from './en.json'

export const bootMessages: Readonly<Record<string, string>> = english
