/**
 * Compiles a catalogue (`./en.json?messages`) from ICU text to what Lingui reads, so that no message parser reaches a browser.
 * A message that does not parse ends the build with its key.
 */
import { readFile } from 'node:fs/promises'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import * as z from 'zod/mini'

const Catalogue = z.record(z.string(), z.string())
const query = '?messages'

export function cataloguePlugin(): Plugin {
  return {
    name: 'postern-catalogue',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(`.json${query}`)) return null
      const file = id.slice(0, -query.length)
      this.addWatchFile(file)
      return { code: compileCatalogue(file, await readFile(file, 'utf8')), moduleType: 'js' }
    },
  }
}

export function compileCatalogue(file: string, source: string): string {
  const compiled = Object.entries(Catalogue.parse(JSON.parse(source))).map(([key, text]) => {
    try {
      return [key, compileMessage(text)]
    } catch (cause) {
      throw new Error(`${file}: the message '${key}' is not valid ICU text`, { cause })
    }
  })
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))})`
}
