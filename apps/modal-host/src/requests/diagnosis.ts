import { loadAdapter } from '@postern/chains/adapters'
import type { ChainClient } from '@postern/chains/chain-client'
import { AllowedOrigins, type HostResult, type Network } from '@postern/protocol'
import type { HttpClient } from '../services/http'
import type { HostStorage } from '../services/storage'

export function createDiagnosis(options: {
  readonly http: HttpClient
  readonly storage: HostStorage
  readonly network: Network
  readonly client: ChainClient
}) {
  const { http, storage, network, client } = options

  return async (_params: null, signal: AbortSignal): Promise<HostResult<'diagnose'>> => {
    const isFrame = storage.place === 'frame'
    return [
      {
        check: 'Storage of the frame',
        ok: isFrame,
        detail: isFrame ? 'Sessions are kept in the frame.' : 'The browser denies it; the page keeps the sessions.',
      },
      await probe('Gateway', async () => {
        AllowedOrigins.parse(await http.get('/projects/v1/origins', { signal }))
        return 'The gateway knows this project.'
      }),
      await probe(`Network ${network.name}`, async () => {
        await (await loadAdapter(network.chainNamespace)).ping(client, signal)
        return 'Its endpoint answers.'
      }),
    ]
  }
}

async function probe(check: string, run: () => Promise<string>) {
  try {
    return { check, ok: true, detail: await run() }
  } catch (thrown) {
    return { check, ok: false, detail: thrown instanceof Error ? thrown.message : 'It does not answer.' }
  }
}
