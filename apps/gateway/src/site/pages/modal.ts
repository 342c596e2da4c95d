import {
  frameAncestors,
  type NetworkDefinition,
  type ProjectPage,
  projectPageElementId,
  type WalletEntry,
} from '@postern/protocol'
import type { Context } from 'hono'
import type { AccountAbstraction } from '../../chains/bundler/config'
import { createRenderer } from '../../platform/html/data-block'
import type { Files } from '../../platform/html/files'
import { modalPageHeaders, type PageHeaderOptions, refusalPageHeaders } from '../../platform/html/headers'
import { sendFile } from '../../platform/html/send-file'
import { type Project, ProjectId } from '../../projects/project'
import type { SignInMethodsOf } from '../../projects/sign-in-methods'
import type { ProjectStore } from '../../projects/store'
import { decideFrame } from './decide'
import { renderRefusal } from './refusal'
import { createWalletPages, describeWallet, type WalletPages, type WalletPagesOptions } from './wallet'

export type PagesOptions = PageHeaderOptions & {
  readonly projects: Pick<ProjectStore, 'find'>
  /** The build of apps/modal-host: `index.html`, `assets/`. */
  readonly modalFiles: Files
  readonly walletFiles: Files
  readonly networks: readonly NetworkDefinition[]
  readonly directory: { readonly recommended: readonly WalletEntry[]; readonly count: number }
  /** For projects with a WalletConnect id. */
  readonly relayUrl: string
  readonly gatewayVersion: string
  readonly signInMethodsOf: SignInMethodsOf
  readonly accountAbstraction: AccountAbstraction
  readonly money: ProjectPage['money']
  readonly swapRouters: WalletPagesOptions['swapRouters']
  readonly tokens: WalletPagesOptions['tokens']
  readonly trustsLoopback: boolean
}

export type Pages = {
  /** The project's page, or its refusal. */
  modal(context: Context): Promise<Response>
  readonly wallet: WalletPages
}

export function createPages(options: PagesOptions): Pages {
  const renderer = createRenderer()

  return {
    async modal(context) {
      const { id, project } = await projectOf(context)
      const decision = decideFrame(id, project, context.req.header('Referer'), options.modalOrigin)
      if (decision.kind === 'refuse') {
        return context.html(renderRefusal(decision.code, decision.origin), 403, {
          ...refusalPageHeaders,
          Vary: 'Referer',
        })
      }
      const index = await options.modalFiles.read('index.html')
      if (index === null) return notBuilt(context)
      const shown = decision.project
      const page = renderer.render(`index.html ${shown.id}`, index, shown, projectPageElementId, () => ({
        data: describeProject(shown, options),
        headers: modalPageHeaders(ancestorsOf(shown), relayOf(shown, options), options),
      }))
      return sendFile(context, page.file, { ...page.headers, Vary: 'Referer' })
    },

    wallet: createWalletPages({
      ...options,
      renderer,
      projectOf: async (context) => (await projectOf(context)).project,
      ancestorsOf,
    }),
  }

  async function projectOf(context: Context): Promise<{ id: string | undefined; project: Project | null }> {
    const id = context.req.query('projectId')
    const known = id !== undefined && ProjectId.safeParse(id).success
    return { id, project: known ? await options.projects.find(id) : null }
  }
}

function describeProject(
  project: Project,
  options: Pick<
    PagesOptions,
    | 'networks'
    | 'directory'
    | 'relayUrl'
    | 'gatewayVersion'
    | 'walletOrigin'
    | 'signInMethodsOf'
    | 'accountAbstraction'
    | 'money'
  >,
): ProjectPage {
  return {
    projectId: project.id,
    name: project.name,
    allowedOrigins: project.allowedOrigins,
    defaultAncestors: project.defaultAncestors,
    features: project.features,
    look: project.look,
    networks: [...options.networks],
    wallets: [...options.directory.recommended],
    walletCount: options.directory.count,
    gatewayVersion: options.gatewayVersion,
    walletConnect:
      project.walletConnect === null ? null : { relayUrl: options.relayUrl, projectId: project.walletConnect },
    wallet: describeWallet(project, options),
    money: options.money,
  }
}

function ancestorsOf(project: Project): readonly string[] {
  return frameAncestors(project.allowedOrigins, { defaultAncestors: project.defaultAncestors })
}

function relayOf(project: Project, { relayUrl }: Pick<PagesOptions, 'relayUrl'>): string | null {
  return project.walletConnect === null ? null : relayUrl
}

function notBuilt(context: Context): Response {
  return context.text('The modal host is not built yet: run `npm run build`.', 503, { 'Cache-Control': 'no-store' })
}
