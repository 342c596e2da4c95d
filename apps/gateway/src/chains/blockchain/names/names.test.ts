import { blockchainAnswers as answers, ErrorBody, type NameClaim } from '@postern/protocol'
import { getContractAddress, type Hex, serializeErc6492Signature, zeroAddress, zeroHash } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp } from '../../../testing/app'
import { type BlockchainTest, deadNetwork, startBlockchain } from '../../../testing/blockchain'
import { callLimit } from '../../../testing/call-limit'
import { noon } from '../../../testing/clock'
import { contractFactoryCode, contractWalletCode, soldWalletCode } from '../../../testing/contract-wallet'
import { accountAt, freePorts, nodeAt, registerName } from '../../../testing/devnet'

const ports = await freePorts('evm', 'evmTwo')
const first = 'eip155:31337'
const second = 'eip155:31338'
const rpcUrl = `http://127.0.0.1:${ports.evm}`

let callerAddress = '203.0.113.9'
let chains: BlockchainTest
beforeAll(async () => {
  chains = await startBlockchain(
    ports,
    {},
    {
      clientAddress: () => callerAddress,
      ...callLimit({ perSecond: 100, burst: 100_000 }, () => noon),
    },
  )
})
afterAll(() => chains.stop())

const newcomer = () => privateKeyToAccount(generatePrivateKey())
let ada: PrivateKeyAccount
let label = ''
beforeEach(() => {
  ada = newcomer()
  label = `ada-${ada.address.slice(2, 12).toLowerCase()}`
})

const now = noon / 1000
const claimOf = (changes: Partial<NameClaim> = {}): NameClaim => ({
  name: `${label}.postern`,
  address: ada.address,
  attributes: {},
  timestamp: now,
  ...changes,
})
const post = (body: unknown, headers?: Record<string, string>) => chains.post('/v1/profile/account', body, headers)
async function register(message: string, changes: Record<string, unknown> = {}, signer: PrivateKeyAccount = ada) {
  const signature = await signer.signMessage({ message })
  return post({ coin_type: 60, address: ada.address, message, signature, ...changes })
}
const registerClaim = (changes: Partial<NameClaim> = {}) => register(JSON.stringify(claimOf(changes)))
async function refusal(asking: Promise<Response>) {
  const response = await asking
  return [response.status, ErrorBody.parse(await response.json()).reasons[0]?.name]
}
const find = (name: string) => chains.get(`/v1/profile/account/${name}`, answers.nameProfile)

describe('a registration', () => {
  test('belongs to its signer, and shows at once in every lookup', async () => {
    expect(await chains.get(`/v1/identity/${ada.address}`, answers.identity)).toEqual({ name: null, avatar: null })
    expect(await chains.status(`/v1/profile/account/${label}.postern`)).toBe(404)
    const avatar = 'data:image/png;base64,AAAA'
    const response = await registerClaim({ attributes: { avatar, bio: 'Countess\u202e of\nnumbers' } })
    expect(response.status).toBe(200)
    const profile = answers.registerName.parse(await response.json())
    expect(profile).toMatchObject({
      name: `${label}.postern`,
      addresses: { 60: { address: ada.address } },
      attributes: [{ avatar, bio: 'Countess of numbers' }],
    })
    expect(await find(`${label.toUpperCase()}.Postern`)).toEqual(profile)
    expect(await chains.get(`/v1/profile/reverse/${ada.address}`, answers.nameProfiles)).toEqual([profile])
    expect(await chains.get(`/v1/profile/reverse/${first}:${ada.address}`, answers.nameProfiles)).toEqual([profile])
    const identity = await chains.get(`/v1/identity/${ada.address}`, answers.identity)
    expect(identity).toEqual({ name: `${label}.postern`, avatar })
  })

  test('accepts an indented claim, which is readable in the wallet', async () => {
    expect((await register(JSON.stringify(claimOf(), null, 2))).status).toBe(200)
  })

  test('does not replace the address’s ENS name', async () => {
    await registerName(rpcUrl, { label: `${label}ens`, owner: ada.address, primary: `${label}ens.eth` })
    await registerClaim()
    const identity = await chains.get(`/v1/identity/${ada.address}`, answers.identity)
    expect(identity.name).toBe(`${label}ens.eth`)
  })
})

describe('a claim', () => {
  test('is rejected if another key signed it', async () => {
    expect(await refusal(register(JSON.stringify(claimOf()), {}, newcomer()))).toEqual([400, 'signature'])
  })

  test('is rejected with another address', async () => {
    const message = JSON.stringify(claimOf())
    const signature = await ada.signMessage({ message })
    const thief = newcomer()
    const body = { coin_type: 60, address: thief.address, message, signature }
    expect(await refusal(post(body))).toEqual([400, 'address'])
    // The attacker's own signature fails too.
    const own = JSON.stringify(claimOf({ address: thief.address }))
    expect(await refusal(post({ ...body, message: own }))).toEqual([400, 'signature'])
    expect((await post({ ...body, address: ada.address })).status).toBe(200)
  })

  test('is rejected for another name', async () => {
    const signature = await ada.signMessage({ message: JSON.stringify(claimOf()) })
    const message = JSON.stringify(claimOf({ name: `${label}-other.postern` }))
    expect(await refusal(post({ coin_type: 60, address: ada.address, message, signature }))).toEqual([400, 'signature'])
  })

  test('works once, for any account and in any letter case', async () => {
    const message = JSON.stringify(claimOf())
    expect((await register(message)).status).toBe(200)
    expect(await refusal(register(message))).toEqual([409, 'name'])
    expect(await refusal(registerClaim({ name: `${label.toUpperCase()}.POSTERN` }))).toEqual([409, 'name'])
    ada = newcomer()
    expect(await refusal(registerClaim())).toEqual([409, 'name'])
  })

  test.each([
    ['eleven minutes old', -660],
    ['of the future', 660],
    ['of the beginning of time', -1_700_000_000],
    ['in milliseconds', 1_700_000_000_000],
  ])('is rejected if it is %s', async (_, seconds) => {
    expect(await refusal(registerClaim({ timestamp: now + seconds }))).toEqual([400, 'timestamp'])
  })

  test.each([
    ['nine minutes old', -540],
    ['nine minutes ahead', 540],
  ])('is accepted if it is %s', async (_, seconds) => {
    expect((await registerClaim({ timestamp: now + seconds })).status).toBe(200)
  })

  test('is rejected if its JSON does not round-trip', async () => {
    const { name, ...rest } = claimOf()
    const twice = `{"name":"harmless-${label}.postern",${JSON.stringify({ name, ...rest }).slice(1)}`
    const texts = [twice, ` ${JSON.stringify(claimOf())}`, `${JSON.stringify(claimOf())}\n`, '[]', 'null', '{', '']
    for (const text of texts) expect(await refusal(register(text))).toEqual([400, 'message'])
  })

  test.each<[string, Hex]>([
    ['nothing', '0x'],
    ['zeros', `0x${'00'.repeat(65)}`],
    ['another length', `0x${'11'.repeat(64)}`],
    ['64 kB of nothing', `0x${'22'.repeat(32_000)}`],
  ])('with %s for a signature', async (_, signature) => {
    const message = JSON.stringify(claimOf({ chainId: first }))
    expect(await refusal(post({ coin_type: 60, address: ada.address, message, signature }))).toEqual([400, 'signature'])
  })

  test.each([zeroAddress, '0x0000000000000000000000000000000000000001', '0x0000000000000000000000000000000000000100'])(
    'is rejected for %s, a reserved address',
    async (address) => {
      const message = JSON.stringify(claimOf({ address, chainId: first }))
      // ecrecover returns zero for this signature.
      const signature = `0x${'00'.repeat(64)}1b`
      expect(await refusal(post({ coin_type: 60, address, message, signature }))).toEqual([400, 'address'])
    },
  )

  test('is rejected with an invalid body', async () => {
    expect((await post({})).status).toBe(400)
    expect((await post(null)).status).toBe(400)
    expect(await refusal(register(JSON.stringify(claimOf()), { coin_type: 501 }))).toEqual([400, 'coin_type'])
    const long = { coin_type: 60, address: ada.address, message: '{}', signature: `0x${'00'.repeat(80_000)}` }
    expect((await post(long)).status).toBe(413)
  })

  test('is rejected from a page that the project does not allow', async () => {
    const message = JSON.stringify(claimOf())
    const body = { coin_type: 60, address: ada.address, message, signature: await ada.signMessage({ message }) }
    expect((await post(body, { Origin: 'https://evil.test' })).status).toBe(403)
  })
})

describe('a name', () => {
  test.each([
    ['of another ending', `ada-lovelace.eth`],
    ['of none', 'ada-lovelace'],
    ['of a name of ours', 'x.ada-lovelace.postern'],
    ['too short', 'ada.postern'],
    ['in another script', '\u0430da-lovelace.postern'],
    ['in letters that become ours', '\u212aelvin-ada.postern'],
    ['that is an address', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045.postern'],
    ['that is kept back', 'supp0rt.postern'],
  ])('%s is refused', async (_, name) => {
    expect(await refusal(registerClaim({ name }))).toEqual([400, 'name'])
  })

  test('is rejected with a remote picture, or one that can run scripts', async () => {
    for (const avatar of [
      'https://evil.test/x.png',
      'data:image/svg+xml;base64,AAAA',
      `data:image/png;base64,${'A'.repeat(2_048)}`,
    ])
      expect(await refusal(registerClaim({ attributes: { avatar } }))).toEqual([400, 'attributes.avatar'])
  })

  test('is rejected as the sixth of an address', async () => {
    for (let at = 0; at < 5; at += 1) expect((await registerClaim({ name: `${label}-${at}.postern` })).status).toBe(200)
    expect(await refusal(registerClaim())).toEqual([409, 'address'])
    const profiles = await chains.get(`/v1/profile/reverse/${ada.address}`, answers.nameProfiles)
    expect(profiles).toHaveLength(5)
  })

  test('is rejected if the caller registers too many, for any address', async () => {
    callerAddress = '198.51.100.7'
    const statuses = []
    for (let at = 0; at < 62; at += 1) {
      ada = newcomer()
      statuses.push((await registerClaim({ name: `${label}-${at}.postern` })).status)
    }
    callerAddress = '203.0.113.9'
    expect(statuses.slice(0, 30)).not.toContain(429)
    expect(statuses.at(-1)).toBe(429)
    expect((await registerClaim()).status).toBe(200)
  })
})

describe('a contract account', () => {
  const owner = newcomer()
  const node = nodeAt(ports.evm)
  const deployed = async (data: Hex) => {
    const { contractAddress } = await node.send(accountAt(0), { data })
    if (contractAddress == null) throw new Error('Nothing was deployed.')
    return contractAddress
  }
  const registerFor = async (
    address: Hex,
    chainId: typeof first | undefined,
    sign: (message: string) => Promise<Hex>,
  ) => {
    const { chainId: _, ...claim } = claimOf({ address })
    const message = JSON.stringify(chainId === undefined ? claim : { ...claim, chainId })
    return post({ coin_type: 60, address, message, signature: await sign(message) })
  }
  const byOwner = (message: string) => owner.signMessage({ message })

  test('signs by ERC-1271 on the network that the claim names', async () => {
    const wallet = await deployed(contractWalletCode(owner.address))
    expect(await refusal(registerFor(wallet, first, (message) => ada.signMessage({ message })))).toEqual([
      400,
      'signature',
    ])
    expect(await refusal(registerFor(wallet, undefined, byOwner))).toEqual([400, 'signature'])
    expect((await registerFor(wallet, first, byOwner)).status).toBe(200)
  })

  test('is rejected on a network without its code, and on one that the gateway does not serve', async () => {
    const wallet = await deployed(contractWalletCode(owner.address))
    const on = (chainId: string) => {
      const message = JSON.stringify({ ...claimOf({ address: wallet }), chainId })
      return byOwner(message).then((signature) => post({ coin_type: 60, address: wallet, message, signature }))
    }
    expect(await refusal(on(second))).toEqual([400, 'signature'])
    expect(await refusal(on('eip155:999999'))).toEqual([400, 'signature'])
    expect(await refusal(on('eip155:11155111'))).toEqual([400, 'signature'])
    expect(await refusal(on(deadNetwork))).toEqual([502, 'network'])
  })

  test('signs by ERC-6492 before deployment, and is not deployed by that', async () => {
    const factory = await deployed(contractFactoryCode)
    const bytecode = contractWalletCode(owner.address)
    const wallet = getContractAddress({ opcode: 'CREATE2', from: factory, salt: zeroHash, bytecode })
    const wrapped = (by: PrivateKeyAccount) => async (message: string) =>
      serializeErc6492Signature({ address: factory, data: bytecode, signature: await by.signMessage({ message }) })
    expect(await refusal(registerFor(wallet, first, wrapped(ada)))).toEqual([400, 'signature'])
    expect((await registerFor(wallet, first, wrapped(owner))).status).toBe(200)
    expect(await node.client.getCode({ address: wallet })).toBeUndefined()
    label = `${label}-two`
    expect(await refusal(registerFor(ada.address, first, wrapped(owner)))).toEqual([400, 'signature'])
  })

  test('the call in an ERC-6492 signature cannot change the owner of a deployed contract', async () => {
    const wallet = await deployed(soldWalletCode)
    const inner: Hex = `0x${'11'.repeat(64)}`
    const bought = async () => serializeErc6492Signature({ address: wallet, data: '0xdeadbeef', signature: inner })
    expect(await refusal(registerFor(wallet, first, bought))).toEqual([400, 'signature'])
    await node.send(accountAt(0), { to: wallet, data: '0xdeadbeef' })
    expect((await registerFor(wallet, first, async () => inner)).status).toBe(200)
  })
})

describe('the release of a name', () => {
  const releaseOf = (changes: Record<string, unknown> = {}) => ({
    release: `${label}.postern`,
    address: ada.address,
    timestamp: now,
    ...changes,
  })
  const postRelease = (body: unknown) => chains.post('/v1/profile/account/release', body)
  async function release(claim: object = releaseOf(), signer: PrivateKeyAccount = ada, address: Hex = ada.address) {
    const message = JSON.stringify(claim)
    return postRelease({ coin_type: 60, address, message, signature: await signer.signMessage({ message }) })
  }

  test('is up to its owner, shows at once, and blocks new registrations', async () => {
    await registerClaim()
    const response = await release(releaseOf({ release: `${label.toUpperCase()}.Postern` }))
    expect(response.status).toBe(200)
    const { name, free_from } = answers.releaseName.parse(await response.json())
    expect(name).toBe(`${label}.postern`)
    expect(Date.parse(free_from) - noon).toBeGreaterThan(89 * 24 * 60 * 60_000)
    expect(await chains.status(`/v1/profile/account/${label}.postern`)).toBe(404)
    expect(await chains.get(`/v1/profile/reverse/${ada.address}`, answers.nameProfiles)).toEqual([])
    expect(await chains.get(`/v1/identity/${ada.address}`, answers.identity)).toEqual({ name: null, avatar: null })
    const { suggestions } = await chains.get(`/v1/profile/suggestions/${label}`, answers.nameSuggestions)
    expect(suggestions[0]).toEqual({ name: `${label}.postern`, registered: true })
    expect(await refusal(registerClaim())).toEqual([409, 'name'])
    ada = newcomer()
    const refused = ErrorBody.parse(await (await registerClaim()).json())
    expect(refused.reasons[0]?.description).toContain(free_from.slice(0, 10))
  })

  test('is rejected from others, and for messages signed for another purpose', async () => {
    await registerClaim()
    const thief = newcomer()
    expect(await refusal(release(releaseOf(), thief))).toEqual([400, 'signature'])
    expect(await refusal(release(releaseOf({ address: thief.address }), thief, thief.address))).toEqual([
      403,
      'address',
    ])
    expect(await refusal(release(releaseOf(), ada, thief.address))).toEqual([400, 'address'])
    const both = { ...claimOf(), release: `${label}.postern` }
    for (const claim of [claimOf(), both, releaseOf({ more: 1 })])
      expect(await refusal(release(claim))).toEqual([400, 'message'])
    // A release is not a claim.
    for (const claim of [releaseOf(), both])
      expect(await refusal(register(JSON.stringify(claim)))).toEqual([400, 'message'])
    expect(await find(`${label}.postern`)).toMatchObject({ addresses: { 60: { address: ada.address } } })
  })

  test('expires, and works once', async () => {
    const registered = JSON.stringify(claimOf())
    await register(registered)
    for (const seconds of [-660, 660])
      expect(await refusal(release(releaseOf({ timestamp: now + seconds })))).toEqual([400, 'timestamp'])
    const claim = releaseOf()
    expect((await release(claim)).status).toBe(200)
    expect(await refusal(release(claim))).toEqual([404, 'name'])
    // The earlier claim cannot take the name back.
    expect(await refusal(register(registered))).toEqual([409, 'name'])
  })

  test.each(['no-such-name.postern', 'ada.eth', 'x', ''])('is rejected for %j', async (name) => {
    expect(await refusal(release(releaseOf({ release: name })))).toEqual([404, 'name'])
  })

  test('of a contract needs the network where the contract registered it', async () => {
    const owner = newcomer()
    const { contractAddress } = await nodeAt(ports.evm).send(accountAt(0), { data: contractWalletCode(owner.address) })
    const wallet: Hex = contractAddress ?? '0x'
    const claim = JSON.stringify(claimOf({ address: wallet, chainId: first }))
    const registration = { coin_type: 60, address: wallet, message: claim }
    expect((await post({ ...registration, signature: await owner.signMessage({ message: claim }) })).status).toBe(200)
    const by = (chainId: string | undefined, signer = owner) =>
      release(releaseOf({ address: wallet, ...(chainId !== undefined && { chainId }) }), signer, wallet)
    for (const chainId of [undefined, second, deadNetwork])
      expect(await refusal(by(chainId))).toEqual([400, 'signature'])
    expect(await refusal(by(first, ada))).toEqual([400, 'signature'])
    expect((await by(first)).status).toBe(200)
  })
})

describe('name lookups', () => {
  test('suggests free names, the wished one first', async () => {
    await registerClaim({ name: `${label}.postern` })
    const at = (path: string) => chains.get(`/v1/profile/suggestions/${path}`, answers.nameSuggestions)
    const { suggestions } = await at(label)
    expect(suggestions[0]).toEqual({ name: `${label}.postern`, registered: true })
    expect(suggestions.slice(1)).toHaveLength(5)
    for (const { name, registered } of suggestions.slice(1)) {
      expect(registered).toBe(false)
      expect(await chains.status(`/v1/profile/account/${name}`)).toBe(404)
    }
    expect(await at(`${label}.postern?zone=postern`)).toEqual({ suggestions })
    expect(await at(`${label}?zone=eth`)).toEqual({ suggestions: [] })
    expect((await at('ada')).suggestions[0]).toEqual({ name: 'ada-wallet.postern', registered: false })
    expect((await at('admin')).suggestions.map(({ name }) => name)).not.toContain('admin.postern')
    expect(await chains.status(`/v1/profile/suggestions/${'a'.repeat(300)}`)).toBe(400)
  })

  test('returns nothing for other namespaces, and rejects invalid addresses', async () => {
    const solana = '/v1/profile/reverse/oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
    expect(await chains.get(solana, answers.nameProfiles)).toEqual([])
    expect(await chains.status('/v1/profile/reverse/unknown')).toBe(400)
    expect(await chains.status(`/v1/profile/account/${'a'.repeat(300)}.postern`)).toBe(400)
    expect(await chains.status('/v1/profile/account/%00%00%00%00.postern')).toBe(404)
  })

  test('does not log names or addresses', async () => {
    await registerClaim()
    await find(`${label}.postern`)
    expect(chains.app.log()).not.toContain(label)
    expect(chains.app.log().toLowerCase()).not.toContain(ada.address.toLowerCase())
  })
})

test('without a suffix, lookups are empty and registrations return 404', async () => {
  const app = await startTestApp()
  const get = async (path: string) => (await app.get(`${path}?projectId=demo`)).json()
  expect(await get(`/v1/profile/reverse/${ada.address}`)).toEqual([])
  expect(await get(`/v1/profile/suggestions/${label}`)).toEqual({ suggestions: [] })
  const message = JSON.stringify(claimOf())
  const body = { coin_type: 60, address: ada.address, message, signature: await ada.signMessage({ message }) }
  for (const path of ['/v1/profile/account', '/v1/profile/account/release'])
    expect((await app.post(`${path}?projectId=demo`, body)).status).toBe(404)
  await app.close()
})
