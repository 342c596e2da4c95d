import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import {
  defaultFeatures,
  Features,
  frameAncestors,
  type NetworkDefinition,
  type ProjectPage,
  projectPageElementId,
  type WalletEntry,
} from '@postern/protocol'
import type { Context } from 'hono'
import { type Project, ProjectId } from '../projects/project'
import type { ProjectStore } from '../projects/store'
import { decideFrame, originOf } from './decide'
import { type Files, type StoredFile, tagOf } from './files'
import {
  type HeaderTable,
  modalPageHeaders,
  type PageHeaderOptions,
  refusalPageHeaders,
  walletPageHeaders,
} from './headers'
import { renderRefusal } from './refusal'
import { sendFile } from './send-file'

export type PagesOptions = PageHeaderOptions & {
  readonly projects: Pick<ProjectStore, 'find'>
  /** The build of apps/modal-host: `index.html`, `sdk.html`, `assets/`. */
  readonly modalFiles: Files
  readonly networks: readonly NetworkDefinition[]
  readonly directory: { readonly recommended: readonly WalletEntry[]; readonly count: number }
  /** Of WalletConnect, for projects that have an id there. */
  readonly relayUrl: string
  readonly gatewayVersion: string
}

export type Pages = {
  /** The modal page of the project in the query, or the refusal that says why not. */
  modal(context: Context): Promise<Response>
  /** The embedded wallet's page, for the modal page's frame alone. */
  wallet(context: Context): Promise<Response>
}

export function createPages(options: PagesOptions): Pages {
  /** The last page rendered for each project. Bounded by the number of projects, and by `mostRendered`. */
  const rendered = new Map<string, StoredFile>()
  const mostRendered = 256

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
      const headers = modalPageHeaders(ancestorsOf(decision.project), relayOf(decision.project, options), options)
      return sendFile(context, render(index, decision.project, headers), { ...headers, Vary: 'Referer' })
    },

    async wallet(context) {
      const { project } = await projectOf(context)
      const referer = originOf(context.req.header('Referer'))
      // Its own reload names itself; anything but the modal page has no business here.
      const expected = referer === null || referer === options.modalOrigin || referer === options.walletOrigin
      const page = project !== null && expected ? await options.modalFiles.read('sdk.html') : null
      if (page === null || project === null) return context.notFound()
      return sendFile(context, page, { ...walletPageHeaders(ancestorsOf(project), options), Vary: 'Referer' })
    },
  }

  async function projectOf(context: Context): Promise<{ id: string | undefined; project: Project | null }> {
    const id = context.req.query('projectId')
    const known = id !== undefined && ProjectId.safeParse(id).success
    return { id, project: known ? await options.projects.find(id) : null }
  }

  function render(index: StoredFile, project: Project, headers: HeaderTable): StoredFile {
    const html = injectProject(index.body.toString('utf8'), describeProject(project, options))
    // The headers are part of what a 304 confirms.
    const tag = tagOf(`${html}\0${JSON.stringify(headers)}`)
    const cached = rendered.get(project.id)
    if (cached?.tag === tag) return cached
    const body = Buffer.from(html)
    const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
    const page: StoredFile = { body, tag, type: index.type, encoded: { br, gzip: gzipSync(body) } }
    if (rendered.size >= mostRendered) rendered.clear()
    rendered.set(project.id, page)
    return page
  }
}

export function describeProject(
  project: Project,
  options: Pick<PagesOptions, 'networks' | 'directory' | 'relayUrl' | 'gatewayVersion'>,
): ProjectPage {
  return {
    projectId: project.id,
    name: project.name,
    allowedOrigins: project.allowedOrigins,
    defaultAncestors: project.defaultAncestors,
    features: Features.parse({ ...defaultFeatures, ...project.features }),
    networks: [...options.networks],
    wallets: [...options.directory.recommended],
    walletCount: options.directory.count,
    gatewayVersion: options.gatewayVersion,
    walletConnect:
      project.walletConnect === null ? null : { relayUrl: options.relayUrl, projectId: project.walletConnect },
    wallet: null,
  }
}

/** Puts the project into the page as a data block: no browser runs it, so no policy has to allow it. */
export function injectProject(html: string, page: ProjectPage): string {
  // `<` is all that could end the block or open a comment in it; JSON writes it as well as an escape.
  const json = JSON.stringify(page).replaceAll('<', '\\u003c')
  const block = `<script type="application/json" id="${projectPageElementId}">${json}</script>\n  </head>`
  const parts = html.split('</head>')
  if (parts.length !== 2) throw new Error('index.html of the modal host must have exactly one </head>')
  return parts.join(block)
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
