/** Builds the third-party dapps into `.postern/dapps`, one module per page. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

/** With React 19 and wagmi 3. */
const newest = ['wagmi', 'wallet-adapter', 'sats-connect'] as const
/** With React 18 and wagmi 2, which the kits require: a workspace of its own. */
const kits = ['rainbowkit', 'connectkit', 'web3-onboard', 'ethers', 'viem'] as const

export type DappName = (typeof newest | typeof kits)[number]

/** A module of each, and the style sheets of those that have one. */
export const dappFolder = new URL('../../.postern/dapps/', import.meta.url)

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
  for (const name of newest) await buildDapp(name, new URL(`./${name}/`, import.meta.url), [])
  // npm places some of their dependencies beside React 19: the app has one React, one wagmi and one viem.
  const one = ['react', 'react-dom', 'wagmi', 'viem']
  for (const name of kits) await buildDapp(name, new URL(`../../dapps/${name}/`, import.meta.url), one)
}

/** A connector of wagmi 2 whose SDK is overridden with an empty package imports this. */
const unusedConnector = { 'porto/internal': 'porto' }

async function buildDapp(name: DappName, root: URL, dedupe: string[]): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(root),
    plugins: [react()],
    resolve: { dedupe, alias: unusedConnector },
    // Expected by libraries that relied on Node polyfills.
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}', global: 'globalThis' },
    build: {
      outDir: fileURLToPath(dappFolder),
      emptyOutDir: false,
      lib: { entry: './main.tsx', formats: ['es'], fileName: () => `${name}.js`, cssFileName: name },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
}
