/**
 * Verifies that a Farcaster user signed this sign-in (FIP-11).
 *
 * 1. The message is EIP-4361 for our own domain and URI, with the channel's nonce.
 * 2. Its statement, chain and only `farcaster://fid/N` resource follow FIP-11.
 * 3. The address that the message names signed it, by key or contract (EIP-1271).
 * 4. The IdRegistry maps this address to that fid. Nothing from the relay is trusted.
 */
import { decodeFunctionResult, encodeFunctionData, hashMessage, isHex, parseAbi, recoverMessageAddress } from 'viem'
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe'
import type { Upstreams } from '../../platform/upstreams/rpc'

const statements: readonly (string | undefined)[] = ['Farcaster Auth', 'Farcaster Connect']
const chainId = 10
const fidResource = /^farcaster:\/\/fid\/([1-9]\d{0,15})\/?$/
const eip1271Magic = '0x1626ba7e'

const abi = parseAbi([
  'function idOf(address owner) view returns (uint256)',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

export type Chain = {
  readonly upstreams: Pick<Upstreams, 'exchange'>
  readonly urls: readonly string[]
  readonly idRegistry: `0x${string}`
}

export type SignInMessage = { readonly message: string; readonly signature: string }
export type Expected = {
  readonly domain: string
  readonly uri: string
  readonly nonce: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** @returns the fid, or null without proof. @throws {UpstreamsFailedError} */
export async function verifySignIn(
  { message, signature }: SignInMessage,
  expected: Expected,
  chain: Chain,
): Promise<bigint | null> {
  const { domain, uri, nonce, now } = expected
  const parsed = parseSiweMessage(message)
  const { address } = parsed
  if (address === undefined || !isHex(signature)) return null
  if (!validateSiweMessage({ message: parsed, domain, nonce, time: new Date(now) })) return null
  if (parsed.uri !== uri || parsed.chainId !== chainId || !statements.includes(parsed.statement)) return null
  const fids = (parsed.resources ?? []).flatMap((resource) => fidResource.exec(resource)?.[1] ?? [])
  const [fid, ...others] = fids
  if (fid === undefined || others.length > 0) return null
  if (!(await isSigner(address, message, signature, chain))) return null
  const registered = await read(
    chain,
    chain.idRegistry,
    encodeFunctionData({ abi, functionName: 'idOf', args: [address] }),
  )
  if (registered === null) return null
  try {
    const owned = decodeFunctionResult({ abi, functionName: 'idOf', data: registered })
    return owned === BigInt(fid) ? owned : null
  } catch {
    return null
  }
}

async function isSigner(
  address: `0x${string}`,
  message: string,
  signature: `0x${string}`,
  chain: Chain,
): Promise<boolean> {
  try {
    const signer = await recoverMessageAddress({ message, signature })
    if (signer.toLowerCase() === address.toLowerCase()) return true
  } catch {
    // A contract's signature may have any format.
  }
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [hashMessage(message), signature] })
  const answer = await read(chain, address, data)
  return answer !== null && answer.length === 66 && answer.slice(0, 10) === eip1271Magic
}

/** Null for a revert, or without a contract. */
async function read(chain: Chain, to: `0x${string}`, data: `0x${string}`): Promise<`0x${string}` | null> {
  const call = { method: 'eth_call', params: [{ to, data }, 'latest'] }
  const [answer] = await chain.upstreams.exchange(chain.urls, [call])
  return answer !== undefined && 'result' in answer && isHex(answer.result) && answer.result !== '0x'
    ? answer.result
    : null
}
