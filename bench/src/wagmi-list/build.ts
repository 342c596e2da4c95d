import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import * as z from 'zod/mini'

const Output = z.array(z.looseObject({ output: z.array(z.looseObject({ code: z.optional(z.string()) })) }))

/** The script of `main.tsx`, minified as an app ships it. */
export async function buildWagmiList(): Promise<string> {
  const { NODE_ENV: before } = process.env
  try {
    const built = Output.parse(
      await build({
        configFile: false,
        logLevel: 'error',
        root: fileURLToPath(new URL('.', import.meta.url)),
        plugins: [react()],
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          write: false,
          minify: true,
          lib: { entry: './main.tsx', formats: ['iife'], name: 'wagmiList' },
        },
      }),
    )
    const [code] = built.flatMap(({ output }) => output.flatMap(({ code }) => code ?? []))
    if (code === undefined) throw new Error('The list was not built')
    return code
  } finally {
    // Vite sets it for the whole process and its children.
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}
