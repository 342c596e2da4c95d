/**
 * Compiles `contracts/*.sol` with solc-js.
 * `npm run contracts -w @postern/devnet` writes `src/evm/contracts.gen.ts`; a test compares it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import solc from 'solc'
import * as z from 'zod'

const folder = new URL('../contracts/', import.meta.url)
const generated = new URL('../src/evm/contracts.gen.ts', import.meta.url)

const Output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  /** Absent on a source error. */
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({ abi: z.array(z.unknown()), evm: z.object({ bytecode: z.object({ object: z.string() }) }) }),
      ),
    )
    .default({}),
})

/** Throws the compiler's messages. */
export function compileContracts(): string {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sol'))
    .sort()
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = Output.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  const complaints = output.errors ?? []
  if (complaints.length > 0) throw new Error(complaints.map((complaint) => complaint.formattedMessage).join('\n'))

  const lines = ['/** Compiled from `contracts/` by `npm run contracts -w @postern/devnet`; not edited by hand. */']
  for (const contracts of Object.values(output.contracts)) {
    for (const [name, { abi, evm }] of Object.entries(contracts)) {
      if (evm.bytecode.object === '') continue
      const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
      lines.push(
        '',
        `export const ${constant} = {`,
        `  abi: ${JSON.stringify(abi)},`,
        `  bytecode: '0x${evm.bytecode.object}',`,
        '} as const',
      )
    }
  }
  return `${lines.join('\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(generated, compileContracts())
  console.log('wrote src/evm/contracts.gen.ts')
}
