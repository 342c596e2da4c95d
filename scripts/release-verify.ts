/**
 * Compares a live host with a release. Exits with 1 if anything differs.
 * `npm run release:verify -- --modal https://modal.example.com --wallet https://wallet.example.com --project ID --dapp
 * https://app.example.com [--manifest FILE] [--key FILE]`. `--key` (an Ed25519 public key, PEM) first checks the
 * manifest's signature.
 */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { compareHost, isSigned, Manifest } from './lib/release'
import { command } from './lib/step'

const Options = z.object({
  modal: z.url('Set --modal to the origin of the modal.'),
  wallet: z.url('Set --wallet to the origin of the wallet.'),
  project: z.string('Set --project to the id of a project.'),
  dapp: z.url('Set --dapp to an origin that the project allows.'),
  manifest: z.string().default('.postern/release/manifest.json'),
  key: z.string().optional(),
})

const text = { type: 'string' } as const

await command(async () => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { modal: text, wallet: text, project: text, dapp: text, manifest: text, key: text },
  })
  const read = Options.safeParse(values)
  if (!read.success) throw new Error(read.error.issues.map(({ message }) => message).join('\n'))
  const { modal, wallet, project, dapp, manifest: file, key } = read.data
  const bytes = readFileSync(file)
  if (key !== undefined && !isSigned(bytes, readFileSync(`${file}.sig`, 'utf8'), createPublicKey(readFileSync(key))))
    throw new Error(`${file}.sig is not the signature of ${file} by this key. Compare nothing with it.`)
  const manifest = Manifest.parse(JSON.parse(bytes.toString()))
  const host = { origins: { modal, wallet }, projectId: project, dappOrigin: dapp }
  const differences = await compareHost(manifest, host)
  for (const { url, problem } of differences) console.log(`✗ ${url}: ${problem}`)
  if (differences.length > 0) throw new Error(`${differences.length} of ${manifest.files.length} files differ.`)
  console.log(`✓ ${manifest.files.length} files are those of version ${manifest.version}`)
})
