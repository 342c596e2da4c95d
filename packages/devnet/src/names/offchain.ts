/** A server signs the names, and a contract on the first chain verifies them (EIP-3668, ENSIP-10). */
import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  isHex,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { devnetOffchainResolver } from '../evm/contracts.gen'
import type { Call } from '../evm/send-all'
import { json, Refusal, type RunningServer, serve } from '../http/serve'
import { devnetAccounts, ensContracts, nameSigner } from '../networks'

const parent = 'offchain'
const records = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function text(bytes32 node, string key) view returns (string)',
])
const signatureLifetimeSeconds = 300n
const zeroAddress = '0x0000000000000000000000000000000000000000'

const offchainUrl = (port: number) => `http://127.0.0.1:${port}/{sender}/{data}.json`

/** The resolver comes first, because its address depends on its deployer's nonce. */
export function offchainCalls(port: number, register: (label: string) => Call): Call[] {
  const parameters = parseAbiParameters('string, address')
  const constructed = encodeAbiParameters(parameters, [offchainUrl(port), nameSigner.address])
  return [{ data: `${devnetOffchainResolver.bytecode}${constructed.slice(2)}` }, register(parent)]
}

/** The names belong to accounts 2 to 4. */
function ownerOf(name: string): Address {
  const index = ['carol', 'dave', 'erin'].findIndex((label) => name === `${label}.${parent}.eth`)
  return (index < 0 ? undefined : devnetAccounts[index + 2]?.address) ?? zeroAddress
}

/**
 * Serves names below `offchain.eth`.
 *
 * 1. `GET /{sender}/{data}.json` answers a query to the resolver of `offchain.eth`, signed for that resolver and query.
 * 2. `POST /devnet/fault {"kind": "down" | "forged" | "none"}`: returns 503, or responses signed with another key.
 */
export async function startNames({
  port,
  signal,
}: {
  readonly port: number
  readonly signal?: AbortSignal | undefined
}): Promise<RunningServer> {
  let fault = 'none'
  return serve({
    port,
    signal,
    async answer({ method, url: { pathname }, body }) {
      if (method === 'POST' && pathname === '/devnet/fault') {
        fault = /"kind":\s*"(down|forged|none)"/.exec(body)?.[1] ?? fault
        return json({ kind: fault })
      }
      if (method !== 'GET') throw new Refusal(405, 'Send a GET.')
      if (fault === 'down') throw new Refusal(503, 'Service unavailable')
      const [, sender, data] = /^\/(0x[0-9a-f]{40})\/(0x[0-9a-f]{8,4096})\.json$/.exec(pathname) ?? []
      if (!isHex(sender) || !isHex(data) || sender !== ensContracts.offchainResolver.toLowerCase())
        throw new Refusal(404, 'Not found.')
      return json({ data: await signedAnswer(sender, data, fault === 'forged') })
    },
  })
}

async function signedAnswer(sender: Address, question: Hex, isForged: boolean): Promise<Hex> {
  const answer = answerTo(question)
  const expires = BigInt(Math.floor(Date.now() / 1000)) + signatureLifetimeSeconds
  const hash = keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', sender, expires, keccak256(question), keccak256(answer)],
    ),
  )
  const [other] = devnetAccounts
  const signature = await (isForged && other !== undefined ? other : nameSigner).sign({ hash })
  return encodeAbiParameters(parseAbiParameters('bytes, uint64, bytes'), [answer, expires, signature])
}

function answerTo(question: Hex): Hex {
  try {
    const { functionName, args } = decodeFunctionData({ abi: devnetOffchainResolver.abi, data: question })
    if (functionName !== 'resolve') throw new Refusal(400, 'This is not a query.')
    const [dns, data] = args
    const owner = ownerOf(nameOf(dns))
    const call = decodeFunctionData({ abi: records, data })
    return call.functionName === 'addr'
      ? encodeAbiParameters(parseAbiParameters('address'), [owner])
      : encodeAbiParameters(parseAbiParameters('string'), [''])
  } catch {
    throw new Refusal(400, 'This is not a query.')
  }
}

/** DNS wire format. */
function nameOf(dns: Hex): string {
  const bytes = Buffer.from(dns.slice(2), 'hex')
  const labels: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 0
    if (length === 0) break
    labels.push(bytes.subarray(at + 1, at + 1 + length).toString('utf8'))
    at += 1 + length
  }
  return labels.join('.')
}
