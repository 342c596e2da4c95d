/**
 * Builds, and writes `.postern/release/manifest.json`: the hash of every file served to browsers.
 * `POSTERN_RELEASE_KEY` is the file of an Ed25519 private key (PEM) that signs it. Default: no signature.
 */
import { createPrivateKey } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { build } from './lib/build'
import { manifestOf, signManifest } from './lib/release'
import { command } from './lib/step'

const folder = '.postern/release'

await command(async () => {
  await build(['@postern/client', '@postern/modal-host', '@postern/wallet'])
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('packages/client-sdk/package.json', 'utf8')))
  const builds = {
    modal: 'apps/modal-host/dist',
    wallet: 'apps/wallet/dist',
    client: 'packages/client-sdk/dist',
    static: 'apps/gateway/static',
  }
  const manifest = manifestOf(builds, version)
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/manifest.json`, bytes)
  console.log(`${folder}/manifest.json: version ${version}, ${manifest.files.length} files`)
  const key = process.env.POSTERN_RELEASE_KEY
  if (key === undefined) {
    console.log('Not signed: set POSTERN_RELEASE_KEY to the file of an Ed25519 private key.')
    return
  }
  writeFileSync(`${folder}/manifest.json.sig`, `${signManifest(bytes, createPrivateKey(readFileSync(key)))}\n`)
  console.log(`${folder}/manifest.json.sig: its signature`)
})
