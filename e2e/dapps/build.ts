/** Builds the third-party dapps into `.postern/dapps`, one module per page. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

export const dapps = ['wagmi', 'wallet-adapter', 'sats-connect'] as const
export type DappName = (typeof dapps)[number]

export const dappModule = (name: DappName): URL => new URL(`../../.postern/dapps/${name}.js`, import.meta.url)

export async function buildDapps(): Promise<void> {
  const { NODE_ENV: before } = process.env
  try {
    await buildAll()
  } finally {
    // Vite sets it for the whole process and its children.
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

async function buildAll(): Promise<void> {
  for (const name of dapps) {
    await build({
      configFile: false,
      logLevel: 'error',
      root: fileURLToPath(new URL(`./${name}/`, import.meta.url)),
      plugins: [react()],
      // Expected by libraries that relied on Node polyfills.
      define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}', global: 'globalThis' },
      build: {
        outDir: fileURLToPath(new URL('../../.postern/dapps/', import.meta.url)),
        emptyOutDir: false,
        lib: { entry: './main.tsx', formats: ['es'], fileName: () => `${name}.js` },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    })
  }
}
