/**
 * Removes the fixes for developers from the visitor's download: the modal has its own text, and the page gets a code that
 * `docs/reference/errors.md` explains.
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

function leanErrors(code: string): string {
  return code.replaceAll(/\bwayOut:\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`]*`),?/g, '')
}
