import { useIsFetching } from '@tanstack/react-query'
import { useText } from '../../locales/text'
import { ForwardIcon } from '../../ui/icons-later'
import { Row, RowGlyph } from '../../ui/row'
import { useSnapshot } from '../../views/host-context'
import { useNavigation } from '../../views/navigation'
import { useIdentity } from '../identity/use-identity'
import { NameIcon } from './NameIcon'

/** The way to a name of one's own, for an EVM account that has none, where the gateway registers them. */
export function NameRow({ address }: { readonly address: string }) {
  const suffix = useSnapshot(({ money }) => money.nameSuffix)
  return suffix === null ? null : <UnlessNamed address={address} />
}

function UnlessNamed({ address }: { readonly address: string }) {
  const t = useText()
  const { go } = useNavigation()
  const { name } = useIdentity(address)
  const isAsked = useIsFetching({ queryKey: ['identity', address.toLowerCase()] }) > 0
  if (name !== null || isAsked) return null
  return (
    <li>
      <Row
        icon={
          <RowGlyph>
            <NameIcon />
          </RowGlyph>
        }
        title={t('name.title')}
        trailing={<ForwardIcon small />}
        onPress={() => go('RegisterAccountName')}
      />
    </li>
  )
}
