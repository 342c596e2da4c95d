import { createPublicClient, http, maxUint256, parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devnetOddCollectible, devnetToken } from './evm/contracts.gen'
import { deployHostileTokens, hostileName, poisonHistory } from './hostile'
import { freePorts } from './http/free-ports'
import { devnetAccounts, devnetContracts } from './networks'
import { type Devnet, startDevnet } from './start-devnet'

const ports = await freePorts('evm', 'evmTwo')
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const holder = devnetAccounts[4]?.address ?? '0x'
let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

test('the tokens return an attacker’s metadata, and the holder owns them', async () => {
  const node = createPublicClient({ transport: http(rpcUrl) })
  const { tokens, collectible, tokenIds } = await deployHostileTokens(rpcUrl, holder)
  const read = (address: `0x${string}`, functionName: 'name' | 'symbol' | 'decimals') =>
    node.readContract({ abi: devnetToken.abi, address, functionName })
  expect(await read(tokens.markup, 'name')).toBe(hostileName)
  expect(await read(tokens.markup, 'symbol')).toBe('')
  expect(await read(tokens.manyDecimals, 'decimals')).toBe(255)
  await expect(read(tokens.nameless, 'name')).rejects.toThrow()
  await expect(read(tokens.lying, 'name')).rejects.toThrow()
  const balance = (address: `0x${string}`) =>
    node.readContract({ abi: devnetToken.abi, address, functionName: 'balanceOf', args: [holder] })
  expect(await balance(tokens.manyDecimals)).toBe(maxUint256)
  expect(await balance(tokens.impostor)).toBe(1_000_000n)
  const uris = await Promise.all(
    Object.values(tokenIds).map((id) =>
      node.readContract({
        abi: devnetOddCollectible.abi,
        address: collectible,
        functionName: 'tokenURI',
        args: [id],
      }),
    ),
  )
  expect(uris.at(4)).toBe('http://169.254.169.254/latest/meta-data/')
  expect(uris.at(-1)).toBe('')
  const again = await deployHostileTokens(rpcUrl, holder)
  expect(again.collectible).not.toBe(collectible)
})

test('strangers poison a history without moving the owner’s funds', async () => {
  const node = createPublicClient({ transport: http(rpcUrl) })
  const lookalike = '0x00000000000000000000000000000000000decaf'
  const dollarsOf = () =>
    node.readContract({
      abi: devnetToken.abi,
      address: devnetContracts.dollar,
      functionName: 'balanceOf',
      args: [holder],
    })
  const before = { dollars: await dollarsOf(), nonce: await node.getTransactionCount({ address: holder }) }
  const { impostor, phishing, collectible, collectibleName, amount, hashes } = await poisonHistory(rpcUrl, {
    owner: holder,
    lookalike,
  })
  const receipts = await Promise.all(hashes.map((hash) => node.getTransactionReceipt({ hash })))
  expect(receipts.map(({ from }) => from.toLowerCase())).not.toContain(holder.toLowerCase())
  const { abi } = devnetToken
  const logs = receipts.flatMap(({ logs }) => parseEventLogs({ abi, eventName: 'Transfer', logs }))
  const gone = { from: holder, to: expect.stringMatching(new RegExp(lookalike, 'i')) }
  const said = logs.map(({ address, args }) => ({ token: address.toLowerCase(), ...args }))
  expect(said).toEqual([
    { token: devnetContracts.dollar.toLowerCase(), ...gone, value: 0n },
    { token: impostor.toLowerCase(), ...gone, value: amount },
    { token: phishing.toLowerCase(), ...gone, value: amount },
    { token: phishing.toLowerCase(), from: gone.to, to: holder, value: amount },
  ])
  const nameOf = (address: `0x${string}`) => node.readContract({ abi, address, functionName: 'name' })
  expect(await Promise.all([impostor, phishing, collectible].map(nameOf))).toEqual([
    'Devnet Dollar',
    'Bonus: https://gift.example',
    collectibleName,
  ])
  expect({ dollars: await dollarsOf(), nonce: await node.getTransactionCount({ address: holder }) }).toEqual(before)
})
