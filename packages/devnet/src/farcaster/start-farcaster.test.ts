import { createPublicClient, http, recoverMessageAddress } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { devnetIdRegistry } from '../evm/contracts.gen'
import { freePorts } from '../http/free-ports'
import { idRegistryAddress } from '../networks'
import { type Devnet, startDevnet } from '../start-devnet'
import { createChannels } from './channels'

const ports = await freePorts('evm', 'evmTwo', 'farcaster')
const base = `http://127.0.0.1:${ports.farcaster}`
const node = createPublicClient({ transport: http(`http://127.0.0.1:${ports.evm}`) })

const Opened = z.object({ channelToken: z.string(), url: z.string(), nonce: z.string() })
const Completed = z.object({
  state: z.literal('completed'),
  message: z.string(),
  signature: z.string().transform((text): `0x${string}` => `0x${text.slice(2)}`),
  fid: z.number(),
  username: z.string(),
  custody: z.string().transform((text): `0x${string}` => `0x${text.slice(2)}`),
})

const request = { siweUri: 'http://wallet.postern.localhost:4400/auth', domain: 'wallet.postern.localhost:4400' }
async function open(more: object = {}) {
  const response = await fetch(`${base}/v1/channel`, { method: 'POST', body: JSON.stringify({ ...request, ...more }) })
  expect(response.status).toBe(201)
  return Opened.parse(await response.json())
}
const status = (token: string) => fetch(`${base}/v1/channel/status`, { headers: { authorization: `Bearer ${token}` } })
const answer = (channelToken: string, username = 'ada') =>
  fetch(`${base}/~/siwf`, { method: 'POST', body: new URLSearchParams({ channelToken, username }) })
const setFault = (kind: string) => fetch(`${base}/devnet/fault`, { method: 'POST', body: JSON.stringify({ kind }) })
async function signedIn(username = 'ada') {
  const { channelToken } = await open()
  await answer(channelToken, username)
  return Completed.parse(await (await status(channelToken)).json())
}
const idOf = (custody: `0x${string}`) =>
  node.readContract({ abi: devnetIdRegistry.abi, address: idRegistryAddress, functionName: 'idOf', args: [custody] })

describe('startFarcaster', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ ports })
  })
  afterAll(() => devnet.stop())
  afterEach(() => setFault('none'))

  test('1, 2. a channel is pending until a user signs', async () => {
    const { channelToken, nonce, url } = await open({ nonce: 'ourOwnNonce1' })
    expect(nonce).toBe('ourOwnNonce1')
    const pending = await status(channelToken)
    expect(pending.status).toBe(202)
    expect(await pending.json()).toMatchObject({ state: 'pending', nonce, url, signatureParams: { ...request, nonce } })
    const page = await fetch(url.replace('farcaster.localhost', '127.0.0.1'))
    expect(await page.text()).toContain('<b>wallet.postern.localhost:4400</b>')
    expect((await answer(channelToken)).status).toBe(200)
    expect((await status(channelToken)).status).toBe(200)
  })

  test('2. status without a channel is 401', async () => {
    expect((await status('guessed')).status).toBe(401)
    expect((await fetch(`${base}/v1/channel/status`)).status).toBe(401)
  })

  test('2. a channel expires after ten minutes', () => {
    let time = 0
    const channels = createChannels({ now: () => time })
    const { token } = channels.open({ ...request, acceptAuthAddress: false }, (each) => each, '')
    time = 600_000
    expect(channels.get(token)).toBeUndefined()
  })

  test('3. the message follows FIP-11, and its key has custody of the fid on chain', async () => {
    const { message, signature, fid, username, custody } = await signedIn('grace')
    const { domain, uri, chainId, resources, address, statement } = parseSiweMessage(message)
    expect({ domain, uri, chainId, statement }).toEqual({
      domain: request.domain,
      uri: request.siweUri,
      chainId: 10,
      statement: 'Farcaster Auth',
    })
    expect(resources).toEqual([`farcaster://fid/${fid}`])
    expect(username).toBe('grace')
    expect(await recoverMessageAddress({ message, signature })).toBe(custody)
    expect(address).toBe(custody)
    expect(await idOf(custody)).toBe(BigInt(fid))
  })

  test('3. the same name gives the same user, another name another user', async () => {
    const [first, again, other] = [await signedIn('ada'), await signedIn('ada'), await signedIn('bob')]
    expect(again.fid).toBe(first.fid)
    expect(other.fid).not.toBe(first.fid)
  })

  test('3. a channel is completed only once', async () => {
    const { channelToken } = await open()
    await answer(channelToken, 'ada')
    expect((await answer(channelToken, 'bob')).status).toBe(409)
    expect(await (await status(channelToken)).json()).toMatchObject({ username: 'ada' })
  })

  test('4. corrupts responses or takes the relay down as set', async () => {
    await setFault('bad-signature')
    const forged = await signedIn()
    expect(await recoverMessageAddress(forged)).not.toBe(forged.custody)
    await setFault('wrong-fid')
    const foreign = await signedIn()
    expect(await idOf(foreign.custody)).not.toBe(BigInt(foreign.fid))
    await setFault('wrong-domain')
    expect(parseSiweMessage((await signedIn()).message).domain).toBe('evil.example')
    await setFault('down')
    expect((await fetch(`${base}/v1/channel`, { method: 'POST', body: JSON.stringify(request) })).status).toBe(503)
  })
})
