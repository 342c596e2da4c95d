/**
 * Compiles the catalogues (`packages/ui/src/locales/en.json`) from ICU text to what Lingui reads, so that no message parser reaches a browser.
 * A message that does not parse ends the build with its key.
 */
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import * as z from 'zod/mini'

const Catalogue = z.record(z.string(), z.string())
export function cataloguePlugin(): Plugin {
  return {
    name: 'postern-catalogue',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/locales\/[\w-]+\.json$/ },
      handler: (source, id) => ({ code: compileCatalogue(id, source), map: null }),
    },
  }
}

export function compileCatalogue(file: string, source: string): string {
  const compiled = Object.entries(Catalogue.parse(JSON.parse(source))).map(([key, text]) => {
    try {
      return [key, compileMessageOrThrow(text)]
    } catch (cause) {
      throw new Error(`${file}: the message '${key}' is not valid ICU text`, { cause })
    }
  })
  return JSON.stringify(Object.fromEntries(compiled))
}
