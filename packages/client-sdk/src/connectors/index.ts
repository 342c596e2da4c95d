/**
 * Connectors for wallets with their own SDK (docs/guides/external-connectors.md).
 *
 * 1. The dapp imports the SDK, so that its bundler finds it. It loads on first use.
 * 2. `load` settles: a silent SDK is an error that says what to do.
 */
import type { ExternalConnector, ExternalProvider } from '../types/index'

type SafeProvider = { request(args: { method: string; params?: unknown[] }): Promise<unknown> }

/** Imports `@safe-global/safe-apps-sdk` and `@safe-global/safe-apps-provider`. */
export type ImportSafe<Info, Sdk extends { readonly safe: { getInfo(): Promise<Info> } }> = () => Promise<
  readonly [
    { readonly default: new (options: { allowedDomains: RegExp[] }) => Sdk },
    { readonly SafeAppProvider: new (info: Info, sdk: Sdk) => SafeProvider },
  ]
>

export type SafeOptions = {
  /** Default: `https://app.safe.global`. */
  readonly allowedDomains?: readonly RegExp[] | undefined
}

/** A page other than Safe never answers. */
const safeTimeoutMs = 10_000

/** The Safe that opened the dapp. Empty outside a frame. */
export function safe<Info, Sdk extends { readonly safe: { getInfo(): Promise<Info> } }>(
  importSafe: ImportSafe<Info, Sdk>,
  { allowedDomains = [/^https:\/\/app\.safe\.global$/] }: SafeOptions = {},
): ExternalConnector[] {
  if (typeof window === 'undefined' || window.parent === window) return []
  return [{ id: 'safe', name: 'Safe', icon: safeIcon, namespace: 'eip155', load }]

  async function load(): Promise<ExternalProvider> {
    const [{ default: SafeAppsSdk }, { SafeAppProvider }] = await importSafe()
    const sdk = new SafeAppsSdk({ allowedDomains: [...allowedDomains] })
    const provider = new SafeAppProvider(await answered(sdk.safe.getInfo()), sdk)
    return {
      // Opening the dapp in a Safe is the consent.
      request: ({ method, params }) =>
        provider.request({
          method: method === 'eth_requestAccounts' ? 'eth_accounts' : method,
          params: Array.isArray(params) ? params : [],
        }),
    }
  }
}

function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    const message = 'The page around this one did not answer as a Safe. Open the dapp in Safe, or set `allowedDomains`.'
    timer = setTimeout(() => reject(new Error(message)), safeTimeoutMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Options of `createBaseAccountSDK`. */
export type BaseAccountOptions = {
  readonly appName?: string | undefined
  readonly appLogoUrl?: string | null | undefined
  readonly appChainIds?: readonly number[] | undefined
  /** Default: `telemetry` off. */
  readonly preference?: Readonly<Record<string, unknown>> | undefined
}

export type ImportBaseAccount = () => Promise<{
  createBaseAccountSDK(options: {
    appName?: string
    appLogoUrl?: string | null
    appChainIds?: number[]
    preference?: { telemetry?: boolean } & Record<string, unknown>
  }): { getProvider(): ExternalProvider }
}>

export function baseAccount(
  importSdk: ImportBaseAccount,
  { appName, appLogoUrl, appChainIds, preference }: BaseAccountOptions = {},
): ExternalConnector {
  return {
    id: 'base-account',
    name: 'Base Account',
    icon: baseIcon,
    namespace: 'eip155',
    async load() {
      const { createBaseAccountSDK } = await importSdk()
      const sdk = createBaseAccountSDK({
        ...(appName !== undefined && { appName }),
        ...(appLogoUrl !== undefined && { appLogoUrl }),
        ...(appChainIds !== undefined && { appChainIds: [...appChainIds] }),
        preference: { telemetry: false, ...preference },
      })
      return sdk.getProvider()
    },
  }
}

const picture = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

const safeIcon = picture(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='#12ff80'/>" +
    "<path d='M48 22l24 12v14c0 14-10 22-24 28-14-6-24-14-24-28V34z' fill='none' stroke='#0f1512' stroke-width='6'/></svg>",
)
const baseIcon = picture(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='#fff'/>" +
    "<rect x='24' y='24' width='48' height='48' rx='6' fill='#00f'/></svg>",
)
