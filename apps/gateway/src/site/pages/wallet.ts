/**
 * Pages of the embedded wallet: the frame (`/sdk`) and its own window (`/window`).
 *
 * 1. Without a known project, nothing is served; the modal has shown the reason.
 * 2. With a `Referer` other than the modal's or the wallet's origin, nothing is served. Without one, the page's policy
 *    and handshake protect it.
 * 3. Both pages get the same data. Only the modal inside the project's origins may frame `/sdk`; nothing may frame
 *    `/window`.
 */
import {
  type NetworkDefinition,
  type ProjectPage,
  parseCaipNetworkId,
  type WalletApprovals,
  type WalletFramePage,
  walletPageElementId,
} from '@postern/protocol'
import type { Context } from 'hono'
import type { AccountAbstraction } from '../../chains/bundler/config'
import type { Renderer } from '../../platform/html/data-block'
import type { Files, StoredFile } from '../../platform/html/files'
import {
  type HeaderTable,
  type PageHeaderOptions,
  walletPageHeaders,
  walletWindowHeaders,
} from '../../platform/html/headers'
import { sendFile } from '../../platform/html/send-file'
import type { Approvals, Project } from '../../projects/project'
import { offered, type SignInMethodsOf } from '../../projects/sign-in-methods'
import { originOf } from './decide'

export type WalletPagesOptions = PageHeaderOptions & {
  /** The build of apps/wallet: `sdk.html`, `window.html`, `assets/`. */
  readonly walletFiles: Files
  readonly networks: readonly NetworkDefinition[]
  readonly signInMethodsOf: SignInMethodsOf
  readonly accountAbstraction: AccountAbstraction
  readonly swapRouters: NonNullable<WalletFramePage['swapRouters']>
  readonly tokens: NonNullable<WalletFramePage['tokens']>
  /** `gateway dev`: pages of this machine are trusted. */
  readonly trustsLoopback: boolean
  readonly renderer: Renderer
  readonly projectOf: (context: Context) => Promise<Project | null>
  readonly ancestorsOf: (project: Project) => readonly string[]
}

export type WalletPages = {
  frame(context: Context): Promise<Response>
  window(context: Context): Promise<Response>
}

export function createWalletPages(options: WalletPagesOptions): WalletPages {
  const { walletFiles, renderer, ancestorsOf } = options

  return {
    frame: (context) => serve(context, 'sdk.html', (project) => walletPageHeaders(ancestorsOf(project), options)),
    window: (context) => serve(context, 'window.html', () => walletWindowHeaders),
  }

  async function serve(
    context: Context,
    name: string,
    headersOf: (project: Project) => HeaderTable,
  ): Promise<Response> {
    const referer = originOf(context.req.header('Referer'))
    const expected = referer === null || referer === options.modalOrigin || referer === options.walletOrigin
    const project = expected ? await options.projectOf(context) : null
    const file: StoredFile | null = project === null ? null : await walletFiles.read(name)
    if (project === null || file === null) return context.notFound()
    const page = renderer.render(`${name} ${project.id}`, file, project, walletPageElementId, () => ({
      data: describeFrame(project, options),
      headers: headersOf(project),
    }))
    return sendFile(context, page.file, { ...page.headers, Vary: 'Referer' })
  }
}

function describeFrame(
  project: Project,
  options: Pick<
    WalletPagesOptions,
    'modalOrigin' | 'networks' | 'signInMethodsOf' | 'accountAbstraction' | 'swapRouters' | 'tokens' | 'trustsLoopback'
  >,
): WalletFramePage {
  const { paymasters, bundlers } = options.accountAbstraction
  const { smartSessions } = project.features
  return {
    projectId: project.id,
    projectName: project.name,
    modalOrigin: options.modalOrigin,
    allowedOrigins: project.allowedOrigins,
    defaultAncestors: project.defaultAncestors,
    approvals: { ...describeApprovals(project.approvals), ...(options.trustsLoopback && { trustsLoopback: true }) },
    networks: [...options.networks],
    smartAccounts: [...bundlers.keys()].map((id) => ({
      chainId: Number(parseCaipNetworkId(id).reference),
      paymaster: paymasters.has(id),
    })),
    ...offered(project, options.signInMethodsOf(project.id)),
    ...(smartSessions !== undefined && { smartSessions }),
    recovery: project.recovery,
    recoveryChoice: project.recoveryChoice,
    swapRouters: options.swapRouters,
    tokens: options.tokens,
  }
}

function describeApprovals({ windowAboveUsd, ...approvals }: Approvals): WalletApprovals {
  return { ...approvals, ...(windowAboveUsd !== null && { windowAboveUsd }) }
}

/** For the modal page; null without a sign-in method. */
export function describeWallet(
  project: Project,
  options: Pick<WalletPagesOptions, 'walletOrigin' | 'signInMethodsOf' | 'accountAbstraction'>,
): ProjectPage['wallet'] {
  const methods = offered(project, options.signInMethodsOf(project.id))
  if (!methods.email && methods.socials.length === 0 && !methods.farcaster) return null
  return {
    origin: options.walletOrigin,
    ...methods,
    smartAccountChainIds: [...options.accountAbstraction.bundlers.keys()].map((id) =>
      Number(parseCaipNetworkId(id).reference),
    ),
  }
}
