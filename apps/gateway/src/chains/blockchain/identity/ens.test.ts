import { encodeAbiParameters, encodeErrorResult, encodeFunctionResult, parseAbi, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import type { RpcAnswer } from '../../../platform/upstreams/rpc'
import { noon } from '../../../testing/clock'
import { createFollow, OffchainError } from '../offchain/follow'
import { RemoteError } from '../remote/public-fetch'
import { createEns } from './ens'

const resolver = '0x00000000000000000000000000000000000abcde'
const ada = '0x000000000000000000000000000000000000dEaD'
const abi = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)',
  'function resolveWithGateways(bytes, bytes, string[]) view returns (bytes, address)',
])
const lookup = encodeErrorResult({
  abi,
  errorName: 'OffchainLookup',
  args: [resolver, ['https://names.example/{sender}/{data}'], '0x1234', '0xcafebabe', '0xfeed'],
})
const result = encodeFunctionResult({
  abi,
  functionName: 'resolveWithGateways',
  result: [encodeAbiParameters(parseAbiParameters('address'), [ada]), resolver],
})

/** All names are off-chain, and the contract accepts one response. */
function chain() {
  const requests: string[] = []
  const exchange = async (_urls: readonly string[], calls: readonly { readonly params?: unknown }[]) => {
    const text = JSON.stringify(calls)
    requests.push(text)
    const isBelieved = text.includes('"0xcafebabe') && text.includes('5afe')
    const answer: RpcAnswer = isBelieved
      ? { result }
      : { error: { code: 3, message: 'reverted', data: text.includes('0xcafebabe') ? '0x' : lookup } }
    return [answer]
  }
  return { chain: { upstreams: { exchange }, urls: ['https://node.example'] }, requests }
}
const followBy = (answer: () => Promise<string>) => {
  const urls: string[] = []
  const fetchPublic = async (url: string) => {
    urls.push(url)
    return new Uint8Array(Buffer.from(await answer()))
  }
  return { follow: createFollow({ fetchPublic, log: { warn: () => {} }, now: () => noon }), urls }
}

test('3 resolves an off-chain name whose response the contract accepts', async () => {
  const { follow, urls } = followBy(async () => '{"data":"0x5afe"}')
  expect(await createEns(chain().chain, resolver, follow).addressOf('ada.base.eth')).toBe(ada)
  expect(urls).toEqual([`https://names.example/${resolver}/0x1234`])
})

test('3 resolves to nothing if the contract rejects the response, or the server has no record', async () => {
  const forged = followBy(async () => '{"data":"0xbad0"}')
  expect(await createEns(chain().chain, resolver, forged.follow).addressOf('ada.base.eth')).toBeNull()
  const refused = followBy(() => Promise.reject(new RemoteError('another status', 404)))
  expect(await createEns(chain().chain, resolver, refused.follow).addressOf('ada.base.eth')).toBeNull()
})

test('3 resolves to nothing without a request if off-chain lookups are disabled', async () => {
  const { chain: here, requests } = chain()
  expect(await createEns(here, resolver, null).addressOf('ada.base.eth')).toBeNull()
  expect(requests).toHaveLength(1)
})

test('4 an unreachable server is an error, for names, addresses and avatars', async () => {
  const { follow } = followBy(() => Promise.reject(new RemoteError('timeout')))
  const ens = createEns(chain().chain, resolver, follow)
  await expect(ens.addressOf('ada.base.eth')).rejects.toThrow(OffchainError)
  await expect(ens.nameOf(ada)).rejects.toThrow(OffchainError)
  await expect(ens.avatarOf('ada.base.eth')).rejects.toThrow(OffchainError)
})
