import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../http/free-ports'
import { type MobileWalletPage, startMobileWallet } from './start-mobile-wallet'

const { port, other: otherPort } = await freePorts('port', 'other')
let folder = ''
let page: MobileWalletPage
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mobile-wallet-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(path.join(folder, 'index.html'), '<title>wallet</title>')
  await writeFile(path.join(folder, 'assets', 'main.js'), 'export {}')
  await writeFile(path.join(folder, 'secret'), 'secret')
  page = await startMobileWallet({ port, folder })
})
afterAll(async () => {
  await page.stop()
  await rm(folder, { recursive: true })
})

/** Does not normalize the path. */
function rawGet(target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${target} HTTP/1.1\r\nhost: mobile-wallet.localhost\r\nconnection: close\r\n\r\n`),
    )
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('startMobileWallet', () => {
  test.each(['/', '/wc?uri=wc%3Aabc%402'])(
    '1. %s serves the page under a policy that allows only the devnet',
    async (at) => {
      const response = await rawGet(at)
      expect(response).toContain('<title>wallet</title>')
      expect(response).toMatch(/content-security-policy: default-src 'none'.*connect-src http:\/\/127.0.0.1:\*/i)
    },
  )

  test('1. serves its files and nothing else', async () => {
    expect(await rawGet('/assets/main.js')).toContain('text/javascript')
    for (const at of [
      '/secret',
      '/assets/../secret',
      '/assets/..%2fsecret',
      '/assets/',
      '/assets/..',
      '//secret',
      '//',
      '/elsewhere',
    ])
      expect(await rawGet(at)).not.toMatch(/^HTTP\/1.1 200|secret<|\r\nsecret/)
  })

  test('2. reports a missing build and a taken port', async () => {
    await expect(startMobileWallet({ port: otherPort, folder: path.join(folder, 'assets') })).rejects.toThrow(
      /npm run build/,
    )
    await expect(startMobileWallet({ port, folder })).rejects.toThrow(/EADDRINUSE/)
  })
})
