/** Writes a `.br` and a `.gz` beside each text asset, once at build time, for a server that sends files as they lie. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(css|html|js|json|svg|txt)$/

export function compressPlugin(): Plugin {
  return {
    name: 'postern-compress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle)) {
          // The page itself is not compressed here: the gateway writes a project's data into it.
          if (!compressible.test(output.fileName) || output.fileName.endsWith('.html')) continue
          const bytes = Buffer.from(output.type === 'chunk' ? output.code : output.source)
          const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
          this.emitFile({ type: 'asset', fileName: `${output.fileName}.br`, source: brotli })
          this.emitFile({ type: 'asset', fileName: `${output.fileName}.gz`, source: gzipSync(bytes, { level: 9 }) })
        }
      },
    },
  }
}
