/** Emails as people write them, import them and break them, for the visual editor. */
export const letters = {
  empty: '',
  first:
    '<h1>A heading</h1>\n<p>Hello {{ contact.firstName | default: "there" }},</p>\n<p>write your email here.</p>\n',
  builtIn:
    '<h1>Sign in</h1>\n<p>Your code is<br>\n<b>{{ code }}</b></p>\n<p><a class="button" href="{{ url }}">Sign in</a></p>\n<p class="small"><a href="{{ url }}">{{ url }}</a></p>\n<p class="small">You asked for it.</p>',
  conditions:
    '{% if contact.firstName %}<p>Dear {{ contact.firstName }}</p>{% elsif vip %}\n<p>Dear guest</p>\n{% else %}<p>Hello</p>{% endif %}\n<p>Hi {% if a > b %}one{% else %}two{% endif %}, done.</p>{% for item in items %}<h3>{{ item.name }}</h3><hr>{% else %}<p>Nothing</p>{% endfor %}{%- assign x = 1 -%}{% raw %}<p>{{ no }}</p>{% endraw %}{% comment %}<p>{% endcomment %}',
  columns:
    '<table role="presentation" width="100%"><tr>\n  <td class="svc-column"><p>One</p></td>\n  <td class="svc-column"><img src="https://example.com/a.png" alt="A"></td>\n</tr></table>\n<table><tbody><tr><th>a</th><td>b</td></tr><tr><td>c</td><td></td></tr></tbody></table>',
  pictures:
    '<p><img src="https://example.com/a.png" alt="" width=300></p><a href="https://example.com"><img src="b.png"></a><p>Text with <img src="c.png" alt="c"> in it</p>',
  page: '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>T</title><style>p{color:red}</style></head>\n<body style="margin:0">\n<!--[if mso]><table><tr><td><![endif]-->\n<center><table width="600"><tr><td align="center">\n<h2 style="font:bold">Title</h2><p>Text &amp; more &copy; 2026</p>\n</td></tr></table></center>\n<!--[if mso]></td></tr></table><![endif]-->\n</body>\n</html>\n',
  mailchimp:
    '<!doctype html>\n<html><head><title>*|MC:SUBJECT|*</title></head><body>\n<p>Hi *|FNAME|*, you live in *|CITY|*.</p>\n*|IF:PLAN=pro|*<p>Pro</p>*|ELSE:|*<p>Free</p>*|END:IF|*\n<p><a href="*|UNSUB|*">Unsubscribe</a> *|LIST:ADDRESS|* *|CURRENT_YEAR|*</p>\n</body></html>',
  lists:
    '<ul>\n<li>One</li>\n<li>Two <b>bold</b><ul><li>Deep</li></ul></li>\n</ul><ol start=3><li><p>Three</p></li></ol><ul>{% for a in b %}<li>{{ a }}</li>{% endfor %}</ul>',
  bare: 'Hello {{ name }},<br>\nthis is <i>text</i> without elements.\n\n<p>And with</p>\nand more\n',
  broken:
    '<p>one<p>two</div> <b>bold <i>both</b> italic</i><div><p>inside</p><table><tr><td>{% if x %}<td>{% endif %}</table>\n<p>after',
  spaces:
    '<div class="space" style="height:24px;line-height:24px;font-size:24px">&nbsp;</div><p>&nbsp;</p><p> a  b\n c </p><blockquote><p>Quoted</p></blockquote><div>Only text</div>',
  attributes:
    '<p {% if a %}class="x"{% endif %} title=\'>\' data-x="{{ x | default: ">" }}">One <span style="color:red">red <b>bold</b></span> <font color=blue>blue</font> <a name="x"></a></p>',
} as const;

/** What Word puts on the clipboard, with a script that must not run. */
export const pastedFromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body lang=EN-GB>
<!--StartFragment--><p class=MsoNormal style='margin-bottom:8.0pt'><span lang=EN-US style='font-family:"Calibri"'>Dear <b>Ada</b><o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>One<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Two</p>
<p class=MsoNormal>See <a href="https://fern.example">us</a><script>window.hasRun = true</script><a href="javascript:window.hasRun=1"></a></p><img src="file:///C:/a.png" onerror="window.hasRun = true"><!--EndFragment--></body></html>`;
