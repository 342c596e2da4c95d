/**
 * Leaves the catalogue's ways out, which are for developers to read, out of what a visitor downloads: the modal shows its own words, and the page
 * learns a code, whose way out stands in `docs/reference/errors.md`.
 */
import type { Plugin } from 'vite'

export function leanErrorsPlugin(): Plugin {
  return {
    name: 'postern-lean-errors',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/protocol\/src\/errors(\/[\w-]+)?\.ts$/ },
      handler: (code) => ({ code: leanErrors(code), map: null }),
    },
  }
}

export function leanErrors(code: string): string {
  return code.replaceAll(/\bwayOut:\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`]*`),?/g, '')
}
