/** The requests of one visitor: connections and an address of its own, and each request timed. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** `ms`: until the last byte of the response. */
export type Sample = {
  readonly what: string
  /** `performance.now()`. */
  readonly began: number
  readonly ms: number
  readonly failure: string | null
}

export type Setting = {
  readonly port: number
  readonly dapp: string
  readonly networks: { readonly evm: readonly string[]; readonly solana: string; readonly bitcoin: string }
  readonly accounts: { readonly evm: string; readonly token: string; readonly solana: string; readonly bitcoin: string }
  /** Token addresses on the first EVM chain. */
  readonly swap: { readonly from: string; readonly to: string }
  readonly record: (sample: Sample) => void
}

export type Answer = { readonly status: number; readonly body: Buffer; readonly headers: IncomingHttpHeaders }

/** The gateway's two sites. */
export type Site = 'modal' | 'wallet'

export type VisitorRequests = {
  readonly hosts: Readonly<Record<Site, string>>
  ask(site: Site, path: string, options?: { body?: string; headers?: Record<string, string> }): Promise<Answer>
  /** Records how long a response took. @param problem returns what is wrong with a response, or null. */
  timed(
    what: string,
    fetchAnswer: () => Promise<Answer>,
    problem?: (answer: Answer) => string | null,
  ): Promise<Answer | null>
  leave(): void
}

export const projectId = 'bench'
/** Max per host, as in a browser. */
const connections = 6

/** @param address the visitor's, as a trusted proxy names it. */
export function createVisitorRequests(
  { port, record }: Pick<Setting, 'port' | 'record'>,
  address: string,
): VisitorRequests {
  const agents = { modal: newAgent(), wallet: newAgent() }
  const hosts = { modal: `modal.postern.localhost:${port}`, wallet: `wallet.postern.localhost:${port}` }

  const ask = (
    site: Site,
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          agent: agents[site],
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            host: hosts[site],
            'accept-encoding': 'identity',
            'x-forwarded-for': address,
            'sec-fetch-site': 'same-origin',
            ...(body === undefined ? {} : { origin: `http://${hosts[site]}`, 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), headers: response.headers }),
          )
          response.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

  async function timed(
    what: string,
    fetchAnswer: () => Promise<Answer>,
    problem: (answer: Answer) => string | null = ({ status }) => (status === 200 ? null : String(status)),
  ): Promise<Answer | null> {
    const began = performance.now()
    try {
      const answer = await fetchAnswer()
      record({ what, began, ms: performance.now() - began, failure: problem(answer) })
      return answer
    } catch (cause) {
      record({ what, began, ms: performance.now() - began, failure: String(cause) })
      return null
    }
  }

  return {
    hosts,
    ask,
    timed,
    leave() {
      agents.modal.destroy()
      agents.wallet.destroy()
    },
  }
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections })
}
