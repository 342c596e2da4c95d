import { limits } from '@postern/protocol'
import { GroupHeading, groupHeadingPx } from '@postern/ui/group-heading'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Status } from '@postern/ui/unseen'
import { ReceiptIcon } from '@postern/ui/view-icons'
import { useNavigation } from '../../view-kit/navigation'
import { IncompleteNotice, ListError, ListSkeleton, rowHeightPx, VirtualList } from '../account/AccountList'
import listStyles from '../account/account-list.module.css'
import { useScopes } from '../account/account-state'
import { Empty } from '../account/Empty'
import { ShowAll } from '../account/ShowAll'
import { SpamNotice } from '../account/SpamNotice'
import { ActivityRow, type ActivityRowProps, activityHeightPx } from './ActivityRow'
import type { ActivityListRow, Group } from './groups'
import { type ShownActivity, useActivity } from './use-activity'

const shownFirst = 4

export function ActivityList({ first = false }: { readonly first?: boolean }) {
  const t = useText()
  const { push } = useNavigation()
  const activity = useActivity()
  const { scopes, allNetworks } = useScopes()
  const networks = new Map(scopes.flatMap((scope) => scope.networks.map((one) => [one.caipNetworkId, one])))
  const where = { networks, allNetworks }
  const { lines, newest, older, hidden, spam } = activity
  const entries = lines.filter(({ kind }) => kind === 'entry').length
  if (entries === 0 && newest === 'loading') return <ListSkeleton headed />
  if (entries === 0 && newest === 'failed')
    return (
      <ListError
        title={t('activity.notLoaded')}
        text={t('activity.failedHint')}
        retryAt={activity.failedAt + limits.connectRetryDelay}
        retry={activity.refresh}
      />
    )
  if (entries === 0 && hidden === 0)
    return (
      <Empty
        icon={ReceiptIcon}
        empty={{ title: t('activity.empty'), text: t('activity.emptyHint') }}
        unlisted={{ title: t('activity.unlisted'), text: t('activity.unlistedHint') }}
      />
    )
  const isCut = first && (entries > shownFirst || older !== 'none')
  return (
    <div className={listStyles.notes}>
      {first ? (
        <ul className={listStyles.stack} aria-label={t('activity.title')}>
          {firstOf(lines).map((line) => (
            <li key={keyOf(line)}>
              <LineOf line={line} where={where} />
            </li>
          ))}
        </ul>
      ) : (
        <AllLines activity={activity} where={where} />
      )}
      {isCut && <ShowAll title={t('activity.all')} onPress={() => push('Activity')} />}
      {!first && older === 'failed' && <IncompleteNotice title={t('activity.notLoaded')} retry={activity.more} />}
      <SpamNotice hidden={hidden} {...spam} />
    </div>
  )
}

function AllLines({ activity, where }: { readonly activity: ShownActivity; readonly where: Where }) {
  const { lines, older, more } = activity
  const t = useText()
  return (
    <>
      <Status>{older === 'loading' ? t('loading') : ''}</Status>
      <VirtualList
        label={t('activity.title')}
        count={lines.length}
        heightOf={(index) => heightOf(lines[index])}
        keyOf={(index) => {
          const line = lines[index]
          return line === undefined ? String(index) : keyOf(line)
        }}
        render={(index) => {
          const line = lines[index]
          return line !== undefined && <LineOf line={line} where={where} />
        }}
        {...(older === 'idle' && { onNearEnd: more })}
      />
    </>
  )
}

function heightOf(line: ActivityListRow | undefined): number {
  if (line === undefined) return rowHeightPx
  return line.kind === 'heading' ? groupHeadingPx : activityHeightPx(line.entry)
}

type Where = Omit<ActivityRowProps, 'entry'>

function LineOf({ line, where }: { readonly line: ActivityListRow; readonly where: Where }) {
  const groupName = useGroupName()
  if (line.kind === 'heading') return <GroupHeading>{groupName(line.group)}</GroupHeading>
  return <ActivityRow entry={line.entry} {...where} />
}

/** The first entries with their headings, without a heading at the end. */
function firstOf(lines: readonly ActivityListRow[]): readonly ActivityListRow[] {
  let entries = 0
  const end = lines.findIndex((line) => line.kind === 'entry' && ++entries > shownFirst)
  const cut = end === -1 ? lines : lines.slice(0, end)
  return cut.at(-1)?.kind === 'heading' ? cut.slice(0, -1) : cut
}

function keyOf(line: ActivityListRow): string {
  if (line.kind === 'entry') return line.entry.id
  const { group } = line
  return group.kind === 'month' ? `${group.year} ${group.month}` : group.kind
}

function useGroupName(): (group: Group) => string {
  const t = useText()
  const locale = useLocale()
  return (group) => {
    if (group.kind !== 'month') return t('activity.group', { group: group.kind })
    const date = new Date(group.year, group.month, 15)
    const isThisYear = group.year === new Date().getFullYear()
    return new Intl.DateTimeFormat(locale, isThisYear ? { month: 'long' } : { month: 'long', year: 'numeric' }).format(
      date,
    )
  }
}
