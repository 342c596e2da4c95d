/** Adds a `.br` and a `.gz` to each text asset, for static servers. */
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
          // Not HTML: the gateway adds project data to it.
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
