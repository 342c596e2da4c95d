/** What the wallet's frame draws in a scenario, with the query of `gallery.tsx`. */
import { createDrawing } from '../../wallet/src/approval/drawing'
import { embeddedStories } from './stories/embedded'

const query = new URLSearchParams(location.search)
const story = embeddedStories[query.get('story') ?? '']
if (story?.drawn === undefined) throw new Error('There is no such story')

const { request, intent, status, asker = 'dapp' } = story.drawn
const { metadata, networks, approvals } = story.snapshot
const network = networks.find(({ caipNetworkId }) => caipNetworkId === request.networkId)
const drawing = createDrawing(document, {
  onApprove() {},
  onReject() {},
  onRetry() {},
  onContinue() {},
  onLeft() {},
  onHeight: (_, height) => window.parent.postMessage(height, location.origin),
})
const isViolet = query.get('dapp') === 'violet'
await drawing.setLook({
  mode: query.get('theme') === 'dark' ? 'dark' : 'light',
  theme: isViolet ? { accent: '#6d4aff', radius: 0.5, font: 'Liberation Serif', mix: '#6d4aff', mixStrength: 6 } : {},
  locale: query.get('locale') ?? 'en',
})
if (query.get('direction') === 'rtl') document.documentElement.dir = 'rtl'
drawing.draw({
  request,
  intent,
  asker,
  dappName: metadata?.name,
  network: { name: network?.name ?? request.networkId, imageUrl: network?.assets?.imageUrl },
  queued: approvals.length,
  elsewhere: story.drawn.elsewhere ?? null,
  isSigning: status.kind === 'signing',
  isPreparing: false,
})
