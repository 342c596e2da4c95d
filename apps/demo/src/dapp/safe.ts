/**
 * A wallet with its own SDK (docs/guides/external-connectors.md): Safe, through `safe-apps-provider`. A dapp has a Safe
 * account only inside a Safe, so the connector is offered only in a frame.
 */
import type { ExternalConnector, ExternalProvider } from '@postern/client'

const icon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='#12ff80'/>" +
    "<path d='M48 22l24 12v14c0 14-10 22-24 28-14-6-24-14-24-28V34z' fill='none' stroke='#0f1512' stroke-width='6'/></svg>",
)}`

export function safeConnectors(window: Window): readonly ExternalConnector[] {
  if (window.parent === window) return []
  return [{ id: 'safe', name: 'Safe', icon, namespace: 'eip155', load }]
}

async function load(): Promise<ExternalProvider> {
  const [{ default: SafeAppsSDK }, { SafeAppProvider }] = await Promise.all([
    import('@safe-global/safe-apps-sdk'),
    import('@safe-global/safe-apps-provider'),
  ])
  const sdk = new SafeAppsSDK()
  const provider = new SafeAppProvider(await sdk.safe.getInfo(), sdk)
  return {
    // Opening the dapp in a Safe is the consent; Safe's SDK has no connect request.
    request: ({ method, params }) =>
      provider.request({
        method: method === 'eth_requestAccounts' ? 'eth_accounts' : method,
        params: Array.isArray(params) ? params : [],
      }),
  }
}
