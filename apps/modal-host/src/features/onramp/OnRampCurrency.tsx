import { CurrentMark } from '@postern/ui/current-mark'
import { List } from '@postern/ui/list'
import { useLocale, useText } from '@postern/ui/locales/text'
import listStyles from '@postern/ui/long-list.module.css'
import { plainText } from '@postern/ui/plain-text'
import { Row } from '@postern/ui/row'
import { QueryClientProvider } from '@tanstack/react-query'
import { currentNetwork } from '../../view-kit/connected-account'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useNavigation, useRedirect } from '../../view-kit/navigation'
import { CurrencyPicture } from './CurrencyPicture'
import { currenciesOf, currencyName, currencyOf } from './currencies'
import { OfferPicture } from './OfferPicture'
import { offersOn } from './offers'
import { useOnRampForm } from './order'
import { useOptions } from './use-options'

export default function OnRampCurrency() {
  return (
    <QueryClientProvider client={queryClientOf(useHost())}>
      <Choices />
    </QueryClientProvider>
  )
}

function Choices() {
  const t = useText()
  const locale = useLocale()
  const { back } = useNavigation()
  const { data: options } = useOptions()
  const { form, change } = useOnRampForm()
  const network = useSnapshot(currentNetwork)
  useRedirect(network === null ? 'OnRamp' : null)
  if (options === undefined || network === null) return <LoadingView />
  if (form.choosing === 'asset') {
    const offers = offersOn(network.caipNetworkId, options)
    const current = offers.find(({ id }) => id === form.asset) ?? offers[0]
    return (
      <div className={listStyles.scroller}>
        <List label={t('buy.assets')}>
          {offers.map((offer) => (
            <li key={offer.id}>
              <Row
                icon={<OfferPicture offer={offer} network={network} />}
                title={plainText(offer.name) || plainText(offer.symbol, 12)}
                detail={plainText(offer.symbol, 12)}
                current={offer === current}
                {...(offer === current && { trailing: <CurrentMark /> })}
                onPress={() => {
                  change({ asset: offer.id })
                  back()
                }}
              />
            </li>
          ))}
        </List>
      </div>
    )
  }
  const current = currencyOf(form.currency, options)
  return (
    <div className={listStyles.scroller}>
      <List label={t('buy.currencies')}>
        {currenciesOf(options).map((id) => (
          <li key={id}>
            <Row
              icon={<CurrencyPicture code={id} />}
              title={currencyName(id, locale)}
              detail={id}
              current={id === current}
              {...(id === current && { trailing: <CurrentMark /> })}
              onPress={() => {
                change({ currency: id })
                back()
              }}
            />
          </li>
        ))}
      </List>
    </div>
  )
}
