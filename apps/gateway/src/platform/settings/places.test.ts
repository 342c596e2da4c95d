import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPlaces } from './places'

async function folderWith(...folders: string[]) {
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-places-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  for (const folder of folders) await mkdir(path.join(dir, folder), { recursive: true })
  return dir
}

test('the npm package has its own pages, and keeps data in the folder where it was started', async () => {
  const dir = await folderWith('node_modules/@postern/gateway/dist')
  const packageDir = path.join(dir, 'node_modules/@postern/gateway')
  expect(findPlaces(packageDir, dir)).toEqual({
    packageDir,
    command: 'npx gateway',
    pages: {
      modal: `${packageDir}/pages/modal`,
      wallet: `${packageDir}/pages/wallet`,
      sdk: `${packageDir}/pages/sdk`,
      console: `${packageDir}/pages/console`,
    },
    dataDir: `${dir}/.postern`,
  })
})

test('the repository has the builds of its workspaces, and keeps data at its root', async () => {
  const dir = await folderWith('apps/gateway/src')
  expect(findPlaces(path.join(dir, 'apps/gateway'), '/elsewhere')).toMatchObject({
    command: 'npm run gateway --',
    pages: { modal: `${dir}/apps/modal-host/dist`, wallet: `${dir}/apps/wallet/dist` },
    dataDir: `${dir}/.postern`,
  })
})
