/** The templates of the demo's company, by name. */
export const templates = {
  newsletter: {
    en: {
      subject: '{{ headline }}',
      preheader: 'This week from the roastery',
      html: `<h1>{{ headline }}</h1>
<p>Hello {{ contact.firstName }},</p>
<p>{{ story }}</p>
<p><a class="button" href="https://coffee.example.com/{{ path }}">See this week’s coffees</a></p>
<p>Warm regards,<br>Lena and Tom</p>`,
    },
  },
  welcome: {
    en: {
      subject: 'Welcome, {{ contact.firstName }}',
      preheader: 'How to brew your first bag',
      html: `<h1>Welcome to Lumen Coffee</h1>
<p>Your first bag is on its way. Three things make a good cup: fresh water, 60 grams a litre, and four minutes.</p>
<p><a class="button" href="https://coffee.example.com/brew">Read the brewing guide</a></p>`,
    },
  },
  'order.shipped': {
    en: {
      subject: 'Your order {{ number }} is on its way',
      preheader: 'It should arrive within three days',
      html: `<h1>Good news, {{ firstName }}</h1>
<p>We roasted your coffee this morning and sent order {{ number }}. It should arrive within three days.</p>`,
    },
  },
} as const;

/** What the weekly broadcasts say, the oldest first. They begin again after the last. */
export const stories = [
  { headline: 'The first Ethiopian harvest', story: 'Yirgacheffe arrived on Monday: jasmine, lemon and black tea.' },
  { headline: 'How we roast decaf', story: 'Swiss water, a slow start, and a finish two degrees lower than usual.' },
  { headline: 'Cold brew at home', story: 'A hundred grams, a litre of water and one night in the fridge.' },
  { headline: 'Meet Rosa’s farm', story: 'Since 2014 we have bought from the same twelve hectares in Huila.' },
  { headline: 'Grinders, compared', story: 'We ground two kilograms by hand so that you do not have to.' },
  {
    headline: 'Subscriptions, improved',
    story: 'Pause, skip or change your coffee until the evening before we roast.',
  },
] as const;
