/**
 * Compiles the catalogues (`packages/ui/src/locales/en.json`) from ICU text to Lingui's format.
 * No message parser reaches a browser. A message that does not parse ends the build with its key.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import * as z from 'zod/mini'

const Catalogue = z.record(z.string(), z.string())
/** A global name that stands for the boot messages until their chunk is known. */
const placeholder = '__POSTERN_BOOT_MESSAGES__'

export function cataloguePlugin(): Plugin {
  return {
    name: 'postern-catalogue',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/ui\/src\/locales\/[\w-]+\.json$/ },
      handler: (source, id) => ({ code: compileCatalogue(id, source), map: null }),
    },
  }
}

/** `boot-messages.ts` becomes the English messages whose keys its chunk names, for the first paint. */
export function bootTextPlugin(): Plugin {
  let english = ''
  return {
    name: 'postern-boot-text',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /\/src\/locales\/boot-messages\.ts$/ },
      handler(id) {
        const file = path.join(path.dirname(id), 'en.json')
        english = readFileSync(file, 'utf8')
        this.addWatchFile(file)
        return { code: `export const bootMessages = ${placeholder}`, moduleType: 'js' }
      },
    },
    renderChunk: (code) =>
      code.includes(placeholder)
        ? { code: code.replace(placeholder, () => namedMessages(code, english)), map: null }
        : null,
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

/** The catalogue's compiled messages whose keys are strings in `code`, as JSON. */
export function namedMessages(code: string, catalogue: string): string {
  const named = new Set([...code.matchAll(/(["'`])([\w.]+)\1/g)].map(([, , key]) => key))
  const messages = Object.entries(Catalogue.parse(JSON.parse(catalogue))).filter(([key]) => named.has(key))
  if (messages.length === 0) throw new Error('The boot chunk names no message of the catalogue')
  return compileCatalogue('en.json', JSON.stringify(Object.fromEntries(messages)))
}
