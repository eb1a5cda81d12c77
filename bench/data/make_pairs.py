#!/usr/bin/env python3
"""Writes bench/data/pairs-templates.jsonl: labelled pairs of statements made from the templates below.

Usage: python3 bench/data/make_pairs.py > bench/data/pairs-templates.jsonl

Each template is a class, a label, an older text and a newer one with slots in braces. A slot is
filled with a word of its list; slots that end in a digit get different words of one list. The seed
is fixed, so the output is always the same. The texts are fictitious.
"""
import json
import random
import re

PER_TEMPLATE = 5

WORDS = {
    "p": "Ada Bert Carla Dmitri Elif Farid Greta Hamid Ines Joost Katya Lars Mira Nuno Olga Pavel Quim Rosa Sven Tala Uwe Vera Wim Xenia Yusuf Zoe".split(),
    "last": "Ahlgren Brandt Castro Dubois Eriksen Fontana Greco Haas Ivanov Jansen Keller Lindqvist Moreau Novak Okafor Petrov".split(),
    "city": "Porto Braga Turin Ghent Leipzig Bergen Malmo Graz Tampere Girona Lyon Utrecht Bologna Aveiro Basel Cork".split(),
    "company": "Initech Globex Hooli Umbra Norsk Velora Kinetix Brightwell Sandvik Orbis Lumina Corvus".split(),
    "tool": "Jenkins Gitea Slack Zulip Notion Jira Trello Grafana Zabbix Ansible Puppet Redmine".split(),
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday".split(),
    "month": "January February March April June July August October November".split(),
    "n": "11 12 13 14 16 17 18 19 21 24 26 28".split(),
    "small": "two three four five six seven eight nine".split(),
    "hour": "8 9 10 11 14 15 16 17".split(),
    "role": ["head of design", "captain of the rowing team", "treasurer of the choir", "editor of the newsletter", "chair of the board", "head of the physics lab", "manager of the north branch"],
    "meeting": ["budget review", "sprint demo", "board meeting", "parents' evening", "staff lunch", "safety drill", "book club"],
    "thing": ["boiler", "projector", "coffee machine", "ferry", "elevator", "printer", "greenhouse heater", "ticket gate"],
    "system": ["billing service", "search index", "mail gateway", "photo archive", "payroll system", "booking site", "metrics store"],
    "job": ["nurse", "carpenter", "translator", "geologist", "pharmacist", "welder", "librarian"],
    "food": ["peanuts", "shellfish", "mushrooms", "celery", "walnuts", "oysters", "cheese"],
    "instrument": ["the cello", "the flute", "the oboe", "the trumpet", "the harp"],
    "colour": "red green blue white black yellow".split(),
    "env": "staging production testing integration".split(),
    "key": "timeout retries batch_size max_age pool_size".split(),
    "pet": "dog cat parrot tortoise rabbit".split(),
    "kin": "brother sister mother cousin flatmate neighbour colleague wife".split(),
    "team": ["data team", "platform team", "design team", "support team", "research group"],
    "price": "4.50 6.20 7.90 9.40 12.80 15.60".split(),
    "de_thing": ["Drucker", "Aufzug", "Ofen", "Beamer"],
    "year": "2016 2017 2018 2019 2020 2021 2022".split(),
}

TEMPLATES = """
related same-verb-other-subject | {p1} switched from {tool1} to {tool2}. | {p2} switched from {tool1} to {tool3}.
related same-verb-other-subject | {p1} lives in {city1}. | {p2} moved from {city1} to {city2}.
related same-verb-other-subject | {p1} works at {company1}. | {p2} no longer works at {company1}.
related same-verb-other-subject | {p1} is now on the night shift. | {p2} is now on the day shift.
related same-verb-other-subject | The {thing1} in {city1} is broken. | The {thing1} in {city2} was repaired.
related same-verb-other-subject | The {system1} runs on port {n1}. | The {system2} now runs on port {n2}.
related same-verb-other-subject | {p1} has two children. | {p2} now has three children.
related same-verb-other-subject | {p1} is allergic to {food1}. | {p2} is not allergic to {food1}.
related same-verb-other-subject | {p1} {last1} lives in {city1}. | {p1} {last2} now lives in {city2}.
related same-verb-other-subject | {p1} wohnt in {city1}. | {p2} wohnt jetzt in {city2}.
related same-verb-other-subject | {p1} habite à {city1}. | {p2} habite maintenant à {city2}.
related same-verb-other-subject | {p1} vive en {city1}. | {p2} ya no vive en {city1}.
related same-verb-other-subject | {p1} lavora a {city1}. | {p2} lavora adesso a {city2}.
related same-verb-other-subject | {p1} mora em {city1}. | {p2} agora mora em {city2}.
related same-verb-other-subject | {p1} woont in {city1}. | {p2} woont nu in {city2}.
related relative-or-colleague | {p1} lives in {city1}. | {p1}'s {kin1} now lives in {city2}.
related relative-or-colleague | {p1} works at {company1}. | {p1}'s {kin1} left {company1} for {company2}.
related relative-or-colleague | {p1}'s {kin1} is a {job1} at {company1}. | {p1} left {company1} for {company2}.
related relative-or-colleague | {p1}'s {pet1} is six years old. | {p1}'s {pet2} is seven years old.
related relative-or-colleague | {p1} no longer smokes. | {p1}'s {kin1} smokes.
related relative-or-colleague | The manager of {p1} is based in {city1}. | {p1} is now based in {city2}.
related relative-or-colleague | {p1} wohnt in {city1}. | Der Bruder von {p1} ist nach {city2} gezogen.
related relative-or-colleague | {p1} vit à {city1}. | La sœur de {p1} vit désormais à {city2}.
related half-of-compound | {p1} runs the {team1} and lives in {city1}. | {p1} moved to {city2}.
related half-of-compound | {p1} teaches chemistry and coaches the chess club. | {p1} no longer coaches the chess club.
related half-of-compound | The {system1} listens on port {n1} and keeps its files in {city1}. | The {system1} now listens on port {n2}.
related half-of-compound | {p1} is our treasurer and {p2} is our secretary. | {p3} is now our secretary.
related half-of-compound | {p1} speaks Dutch, Finnish and Greek. | {p1} no longer speaks Finnish.
related half-of-compound | The {meeting1} is on {day1} and {p1} takes the minutes. | The {meeting1} was moved to {day2}.
related half-of-compound | {p1} arbeitet bei {company1} und wohnt in {city1}. | {p1} wohnt jetzt in {city2}.
related half-of-compound | {p1} trabaja en {company1} y vive en {city1}. | {p1} ya no trabaja en {company1}.
related other-day | On {day1} {p1} fixed the {thing1}. | On {day2} {p1} fixed the {thing2}.
related other-day | {p1} met {p2} in {city1} in {month1}. | {p1} met {p2} in {city2} in {month2}.
related other-day | Stand-up {day1}: {p1} reviewed the {system1}. | Stand-up {day2}: {p1} deployed the {system1}.
related other-day | {p1} moved to {city1} in {year1}. | {p1} moved to {city2} last spring.
related other-day | The {thing1} failed on {n1} {month1}. | The {thing1} failed on {n1} {month2}.
related other-day | Am {day1} war {p1} in {city1}. | Am {day2} war {p1} in {city2}.
related other-environment | On {env1} the {system1} has {n1} workers. | On {env2} the {system1} now has {n2} workers.
related other-environment | Room {n1} has a projector. | Room {n2} no longer has a projector.
related other-environment | Ticket OPS-{n1} is open. | Ticket OPS-{n2} was closed.
related other-environment | The {city1} office opens at {hour1}. | The {city2} office now opens at {hour2}.
related other-environment | Version {small1} of the client supports proxies. | Version {small2} of the client no longer supports proxies.
related condition-or-weekday | On {day1}s the pool opens at {hour1}. | On {day2}s the pool opens at {hour2}.
related condition-or-weekday | In winter the {thing1} runs at {n1} %. | In summer the {thing1} now runs at {n2} %.
related condition-or-weekday | With a student card the ticket is {price1} euros. | Without a student card the ticket is now {price2} euros.
related condition-or-weekday | If it rains, the {meeting1} is in {city1}. | The {meeting1} is in {city2}.
related condition-or-weekday | Am {day1} öffnet das Bad um {hour1} Uhr. | Am {day2} öffnet das Bad um {hour2} Uhr.
related rule-and-exception | Every request needs {small1} approvals. | Requests by {p1} need no approval.
related rule-and-exception | Dogs are not allowed in the {city1} office. | Guide dogs are allowed in the {city1} office.
related rule-and-exception | Never deploy on {day1}s. | Security fixes may be deployed on {day1}s.
related rule-and-exception | Employees get {n1} days of leave. | Employees in {city1} now get {n2} days of leave.
related part-and-whole | The {system1} is in {city1}. | The backup of the {system1} is now in {city2}.
related part-and-whole | The report by {p1} has {n1} pages. | Chapter two of the report by {p1} has {small1} pages.
related part-and-whole | The {team1} has {n1} members. | The {city1} half of the {team1} now has {small1} members.
related plan-and-fact | {p1} wants to move to {city1}. | {p1} lives in {city2}.
related plan-and-fact | We estimated {small1} weeks for the {system1}. | The {system1} took {small2} weeks.
related plan-and-fact | {p1} plans to leave {company1}. | {p1} works at {company1}.
related plan-and-fact | {p1} will present the {system1} on {day1}. | {p1} presented the {system2} on {day2}.
related two-opinions | {p1} thinks the new {thing1} is too loud. | {p2} thinks the new {thing1} is fine.
related two-opinions | In {p1}'s view the {system1} is slow. | In {p2}'s view the {system1} is fast.
related two-opinions | {p1}: keep the {thing1} | {p2}: sell the {thing1}
related quoted-speech | {p1} said that the {thing1} works. | {p2} said that the {thing1} is broken.
related quoted-speech | According to {p1}, the {meeting1} is on {day1}. | According to {p2}, the {meeting1} is on {day2}.
related neighbouring-keys | {key1} = {n1} | {key2} = {n2}
related neighbouring-keys | server.{key1}: {n1} | client.{key1}: {n2}
related neighbouring-keys | {key1}_read = {n1} | {key1}_write = {n2}
related neighbouring-sentences | The {meeting1} begins on {n1} {month1}. | The {meeting1} may be attended by guests.
related neighbouring-sentences | {p1} was born in {city1}. | {p1} studied in {city2}.
related neighbouring-sentences | Step {small1}: drain the {thing1}. | Step {small2}: clean the {thing1}.
related question | When is the {meeting1}? | The {meeting1} is in {city1}.
related question | Does the {system1} run in {city1}? | The {system1} no longer runs in {city2}.
related hypothetical | If {p1} leaves {company1}, {p2} takes over. | {p1} works at {company1}.
related hypothetical | {p1} would live in {city1} if it were cheaper. | {p1} lives in {city2}.
related negation-of-other-object | {p1} eats {food1}. | {p1} does not eat {food2}.
related negation-of-other-object | {p1} plays {instrument1}. | {p1} no longer plays {instrument2}.
related negation-of-other-object | The {system1} deletes old logs. | The {system1} no longer deletes old photos.
related negation-of-other-object | {p1} isst {food1}. | {p1} isst keine {food2} mehr.
related different-quantities | The {city1} hall seats {n1}. | The {city1} hall has parking for {n2} cars.
related different-quantities | The {system1} uses {small1} cores. | The {system1} now uses {n1} GB of memory.
related different-quantities | {p1} runs {n1} km a week. | {p1} weighs {n2} kg.
related then-and-now-of-two-things | The old {thing1} cost {n1} euros. | The new {thing1} costs {n2} euros.
related then-and-now-of-two-things | {p1} used to play {instrument1}. | {p2} now plays {instrument1}.
related then-and-now-of-two-things | Until {year1} the school was in {city1}. | The library has been in {city1} since {year2}.
related additional-value | {p1} speaks Dutch. | {p1} now also speaks Greek.
related additional-value | {p1} plays {instrument1}. | {p1} now plays {instrument2} too.
related additional-value | We use {tool1} for tickets. | We now use {tool2} for chat.
related additional-value | {p1} likes {food1}. | {p1} now likes {food2}.
related additional-value | {p1} is a {job1}. | {p1} is now a mother.
related other-attribute | {p1} was born in {city1}. | {p1} moved from {city1} to {city2}.
related other-attribute | {p1} wrote a book about {tool1}. | {p1} switched from {tool1} to {tool2}.
related other-attribute | {p1} works in {city1}. | {p1} moved to {city2}.
related other-attribute | {p1} lives in {city1}. | {p1} now works in {city2}.
related other-attribute | The {meeting1} is in {city1}. | The {meeting1} was moved to {day1}.
related list-items | - {p1}: {food1} | - {p1}: {food2}
related list-items | TODO: call {p1} about the {thing1} | TODO: call {p1} about the {thing2}
update now | {p1} lives in {city1}. | {p1} now lives in {city2}.
update now | The {meeting1} is in {city1}. | The {meeting1} is now in {city2}.
update now | The {team1} meets at {hour1}:30. | The {team1} now meets at {hour2}:30.
update now | {p1} reports to {p2}. | {p1} now reports to {p3}.
update now | The {system1} runs on port {n1}. | The {system1} now runs on port {n2}.
update now | We use {tool1} for tickets. | We now use {tool2} for tickets.
update now | The {thing1} is closed. | The {thing1} is open again.
update now | {p1} is based in {city1}. | {p1} is currently based in {city2}.
update now | Default branch of the {system1}: master | The default branch of the {system1} is now trunk.
update new-holder | {p1} {last1} is {role1}. | {p2} {last2} is now {role1}.
update new-holder | The {role1} is {p1} {last1}. | {p2} {last2} is the new {role1}.
update new-holder | {p1} is the maintainer of the {system1}. | {p2} took over as maintainer of the {system1} from {p1}.
update new-holder | Maintainer of the {system1}: {p1} | {p2} is now the maintainer of the {system1}.
update new-holder | {p1} is the {role1}. | {p2} succeeded {p1} as {role1}.
update new-holder | The {role1} is {p1}. | {p1} stepped down, the {role1} is {p2}.
update rescheduled | The {meeting1} is on {day1}. | The {meeting1} was moved to {day2}.
update rescheduled | The {meeting1} is on {n1} {month1}. | The {meeting1} has been postponed to {n1} {month2}.
update rescheduled | The {meeting1} starts at {hour1}:00. | The {meeting1} was pushed back to {hour2}:00.
update rescheduled | {meeting1}: {day1}, {hour1}:15 | {meeting1} rescheduled to {day2}, {hour2}:15
update rescheduled | The {meeting1} takes place on {day1}. | We moved the {meeting1} to {day2}.
update number-since | A day pass costs {price1} euros. | Since {month1} a day pass costs {price2} euros.
update number-since | The {system1} requires {n1} GB of memory. | Since {month1} the {system1} has required {n2} GB of memory.
update number-since | The {city1} plant employs {n1} people. | Since the layoffs the {city1} plant has employed {n2} people.
update number-since | The parking fee is {price1} euros. | The parking fee was raised to {price2} euros.
update number-since | The limit of the {system1} is {n1} MB. | The limit of the {system1} was increased from {n1} MB to {n2} MB.
update status | The {thing1} is broken. | The {thing1} was repaired this morning.
update status | The {thing1} is out of order. | The {thing1} works again.
update status | Ticket {n1} is open. | Ticket {n1} was closed on {day1}.
update status | {p1} is in hospital. | {p1} was discharged from hospital on {day1}.
update status | {p1} is looking for a flat in {city1}. | {p1} found a flat in {city1}.
update status | The move of the {system1} is planned. | The move of the {system1} has been completed.
update no-longer | {p1} works at {company1}. | {p1} no longer works at {company1}.
update no-longer | {p1} smokes. | {p1} doesn't smoke any more.
update no-longer | The {system1} needs a running database. | The {system1} no longer needs a running database.
update no-longer | {p1} plays {instrument1}. | {p1} has stopped playing {instrument1}.
update no-longer | The {thing1} is open to visitors. | The {thing1} is no longer open to visitors.
update as-of | The hotline is staffed from {hour1}:00. | As of {month1} the hotline is staffed from {hour2}:30.
update as-of | Overtime is paid at {n1} %. | Effective 1 {month1}, overtime is paid at {n2} %.
update as-of | The {city1} office opens at {hour1}:00. | From {day1} the {city1} office opens at {hour2}:45.
update switched | We track tickets in {tool1}. | We migrated ticket tracking from {tool1} to {tool2}.
update switched | {p1} takes notes in {tool1}. | {p1} takes notes in {tool2} instead of {tool1}.
update switched | The {team1} uses {tool1} for planning. | The {team1} switched from {tool1} to {tool2} for planning.
update switched | Deploys of the {system1} run on {tool1}. | We replaced {tool1} with {tool2} for deploys of the {system1}.
update switched | {p1} lives in {city1}. | {p1} moved from {city1} to {city2}.
update switched | {p1} lives in {city1}. | {p1} has moved to {city2}.
update switched | {p1} works at {company1}. | {p1} left {company1} for {company2}.
update correction | {p1}'s birthday is on {n1} {month1}. | Correction: {p1}'s birthday is on {n1} {month2}.
update correction | The {meeting1} is on {day1}. | Actually, the {meeting1} is on {day2}.
update correction | {p1}'s office is on the third floor. | Sorry, I was wrong: {p1}'s office is on the fifth floor.
update no-cue | {p1} is {n1} years old. | {p1} is 96 years old.
update other-language | {p1} wohnt in {city1}. | {p1} ist nach {city2} gezogen.
update other-language | Die Karte kostet {n1} Euro. | Seit Januar kostet die Karte {n2} Euro.
update other-language | Die Sitzung ist am Montag. | Die Sitzung wurde auf Freitag verlegt.
update other-language | {p1} raucht. | {p1} raucht nicht mehr.
update other-language | Der {de_thing1} ist kaputt. | Der {de_thing1} ist repariert.
update other-language | Wir nutzen {tool1} für Tickets. | Wir nutzen jetzt {tool2} für Tickets.
update other-language | {p1} habite à {city1}. | {p1} habite maintenant à {city2}.
update other-language | {p1} fume. | {p1} ne fume plus.
update other-language | L'abonnement coûte {n1} euros par mois. | Depuis janvier, l'abonnement coûte {n2} euros par mois.
update other-language | La réunion est le lundi. | La réunion est désormais le jeudi.
update other-language | {p1} vive en {city1}. | {p1} vive ahora en {city2}.
update other-language | {p1} trabaja en {company1}. | {p1} ya no trabaja en {company1}.
update other-language | La entrada cuesta {n1} euros. | Desde enero la entrada cuesta {n2} euros.
update other-language | Usamos {tool1} para las incidencias. | Hemos cambiado de {tool1} a {tool2} para las incidencias.
update other-language | {p1} abita a {city1}. | {p1} abita adesso a {city2}.
update other-language | {p1} fuma. | {p1} non fuma più.
update other-language | Il biglietto costa {n1} euro. | Il biglietto ora costa {n2} euro.
update other-language | {p1} mora em {city1}. | {p1} agora mora em {city2}.
update other-language | {p1} trabalha na {company1}. | {p1} já não trabalha na {company1}.
update other-language | O bilhete custa {n1} euros. | O bilhete custa agora {n2} euros.
update other-language | {p1} woont in {city1}. | {p1} is naar {city2} verhuisd.
update other-language | {p1} werkt bij {company1}. | {p1} werkt niet meer bij {company1}.
update other-language | Het kaartje kost {n1} euro. | Het kaartje kost nu {n2} euro.
contradiction number | The {city1} tower is {n1} m high. | The {city1} tower is {n2} m high.
contradiction number | The {team1} has {n1} members. | The {team1} has {n2} members.
contradiction number | The {system1} was built in {small1} weeks. | The {system1} was built in {small2} weeks.
contradiction date | The {meeting1} is on {day1}. | The {meeting1} is on {day2}.
contradiction date | {p1} was born in {year1}. | {p1} was born in {year2}.
contradiction date | The contract with {company1} was signed on {n1} {month1}. | The contract with {company1} was signed on {n1} {month2}.
contradiction name | The capital of the region is {city1}. | The capital of the region is {city2}.
contradiction name | {p1}'s mother is called {p2}. | {p1}'s mother is called {p3}.
contradiction name | The {system1} was designed by {p1}. | The {system1} was designed by {p2}.
contradiction place | {p1} was born in {city1}. | {p1} was born in {city2}.
contradiction place | The congress of {year1} was held in {city1}. | The congress of {year1} was held in {city2}.
contradiction negation | {p1} has read the contract with {company1}. | {p1} has not read the contract with {company1}.
contradiction negation | {p1} is allergic to {food1}. | {p1} is not allergic to {food1}.
contradiction negation | Always restart the {system1} after an update. | Never restart the {system1} after an update.
contradiction antonym | The {thing1} is open. | The {thing1} is closed.
contradiction antonym | {p1} loves {food1}. | {p1} hates {food1}.
contradiction antonym | Logging is enabled in the {system1}. | Logging is disabled in the {system1}.
contradiction quantity | All the {thing1} keys are in {city1}. | None of the {thing1} keys are in {city1}.
contradiction quantity | {p1} always locks the {thing1}. | {p1} never locks the {thing1}.
contradiction swapped-roles | {p1} is older than {p2}. | {p2} is older than {p1}.
contradiction colour-or-material | The {thing1} in {city1} is {colour1}. | The {thing1} in {city1} is {colour2}.
contradiction other-language | Der Turm in {city1} ist {n1} Meter hoch. | Der Turm in {city1} ist {n2} Meter hoch.
contradiction other-language | {p1} hat den Vertrag gelesen. | {p1} hat den Vertrag nicht gelesen.
contradiction other-language | La réunion est le lundi à {city1}. | La réunion est le mardi à {city1}.
contradiction other-language | La guerra de {city1} duró siete años. | La guerra de {city1} duró once años.
contradiction other-language | Il museo di {city1} è aperto. | Il museo di {city1} è chiuso.
contradiction other-language | O museu de {city1} está aberto. | O museu de {city1} não está aberto.
contradiction other-language | Het museum in {city1} is open. | Het museum in {city1} is niet open.
duplicate case-and-punctuation | {p1} lives in {city1} | {p1} lives in {city1}.
duplicate case-and-punctuation | the {meeting1} is on {day1} | The {meeting1} is on {day1}!
duplicate contraction | {p1} doesn't eat {food1}. | {p1} does not eat {food1}.
duplicate number-and-unit | The {city1} trail is {n1} km long. | The {city1} trail is {n1} kilometres long.
duplicate number-and-unit | The {meeting1} starts at {hour1} pm. | The {meeting1} starts at {hour1} p.m.
duplicate markup | - **{p1}** maintains the {system1} | {p1} maintains the {system1}.
duplicate spelling-and-abbreviation | The {system1} was organised by {p1}. | The {system1} was organized by {p1}.
duplicate other-language | {p1} wohnt in der {city1}er Straße. | {p1} wohnt in der {city1}er Strasse
duplicate other-language | Le train pour {city1} part à 18 h 05. | Le train pour {city1} part à 18h05
duplicate other-language | ¡No hay clase en {city1} el viernes! | No hay clase en {city1} el viernes.
paraphrase active-and-passive | {p1} designed the {system1}. | The {system1} was designed by {p1}.
paraphrase active-and-passive | The {team1} maintains the {system1}. | The {system1} is maintained by the {team1}.
paraphrase active-and-passive | {p1} broke the {thing1} in {city1}. | The {thing1} in {city1} was broken by {p1}.
paraphrase reordered | In {city1} {p1} hired a {job1}. | {p1} hired a {job1} in {city1}.
paraphrase reordered | On {day1} the {meeting1} takes place in {city1}. | The {meeting1} takes place in {city1} on {day1}.
paraphrase other-words | {p1} purchased the {thing1} in {year1}. | {p1} bought the {thing1} in {year1}.
paraphrase other-words | {p1} resides in {city1}. | {p1} lives in {city1}.
paraphrase other-words | The {meeting1} begins at {hour1}:00. | The {meeting1} starts at {hour1}:00.
paraphrase other-words | The {team1} requires {small1} new desks. | The {team1} needs {small1} new desks.
paraphrase negated-imperative | Never push to the {system1} on {day1}s. | Do not push to the {system1} on {day1}s.
paraphrase negated-imperative | Don't restart the {system1} by hand. | Never restart the {system1} by hand.
paraphrase abbreviation | Every PR for the {system1} needs {small1} reviews. | Every pull request for the {system1} needs {small1} reviews.
paraphrase note-and-sentence | Maintainer of the {system1}: {p1} | {p1} is the maintainer of the {system1}.
paraphrase note-and-sentence | {p1}: allergic to {food1} | {p1} is allergic to {food1}.
paraphrase converse-relation | {p1} is older than {p2}. | {p2} is younger than {p1}.
paraphrase converse-relation | {p1} sold the {thing1} to {p2}. | {p2} bought the {thing1} from {p1}.
paraphrase double-negation | The {thing1} is not closed. | The {thing1} is open.
paraphrase double-negation | The {thing1} is never locked. | The {thing1} is always unlocked.
paraphrase other-language | {p1} hat den {de_thing1} repariert. | Der {de_thing1} wurde von {p1} repariert.
paraphrase other-language | Am Montag ist {p1} in {city1}. | {p1} ist am Montag in {city1}.
paraphrase other-language | Le lundi, {p1} travaille à {city1}. | {p1} travaille à {city1} le lundi.
paraphrase other-words | {p1} is ill and stays in {city1}. | {p1} is sick and stays in {city1}.
paraphrase other-words | {p1} rents an apartment in {city1}. | {p1} rents a flat in {city1}.
paraphrase other-words | The vacation of {p1} begins on {n1} {month1}. | The holiday of {p1} starts on {n1} {month1}.
paraphrase other-words | {p1} fixed the {thing1} on {day1}. | {p1} repaired the {thing1} on {day1}.
paraphrase other-words | The {team1} selected {tool1} for planning. | The {team1} chose {tool1} for planning.
paraphrase number-and-date | The {meeting1} lasts 90 minutes. | The {meeting1} lasts 1.5 hours.
paraphrase number-and-date | The {meeting1} takes half an hour. | The {meeting1} takes 30 minutes.
paraphrase number-and-date | {p1} joined {company1} on 2021-04-12. | {p1} joined {company1} on 12 April 2021.
paraphrase active-and-passive | {p1} repaired the {thing1} on {day1}. | On {day1} the {thing1} was repaired by {p1}.
paraphrase reordered | After lunch {p1} cleans the {thing1}. | {p1} cleans the {thing1} after lunch.
paraphrase reordered | Every {day1} {p1} visits {city1}. | {p1} visits {city1} every {day1}.
paraphrase other-language | {p1} a réparé la porte. | La porte a été réparée par {p1}.
paraphrase other-language | El lunes {p1} trabaja en {city1}. | {p1} trabaja en {city1} el lunes.
paraphrase other-language | Il lunedì {p1} lavora a {city1}. | {p1} lavora a {city1} il lunedì.
paraphrase other-language | Op maandag werkt {p1} in {city1}. | {p1} werkt op maandag in {city1}.
unrelated different-topics | {p1} lives in {city1}. | The {system1} now needs {n1} GB of memory.
unrelated different-topics | The {meeting1} is on {day1}. | Never store {food1} near the {thing1}.
unrelated different-topics | {p1} plays {instrument1}. | The parking fee was raised to {price1} euros.
"""


def fill(older, newer, chance):
    slots = sorted(set(re.findall(r"\{([a-z_]+)(\d)\}", older + newer)))
    chosen = {}
    for name, number in slots:
        taken = {word for (other, _), word in chosen.items() if other == name}
        chosen[name, number] = chance.choice([word for word in WORDS[name] if word not in taken])
    put = lambda text: re.sub(r"\{([a-z_]+)(\d)\}", lambda slot: chosen[slot[1], slot[2]], text)
    return put(older), put(newer)


def main():
    chance = random.Random(2718)
    seen = set()
    for line in TEMPLATES.strip().splitlines():
        head, older, newer = (part.strip() for part in line.split(" | "))
        label, kind = head.split()
        made = 0
        for _ in range(40):
            a, b = fill(older, newer, chance)
            if (a, b) in seen or a == b:
                continue
            seen.add((a, b))
            print(json.dumps({"a": a, "b": b, "label": label, "class": kind}, ensure_ascii=False))
            made += 1
            if made == PER_TEMPLATE:
                break


if __name__ == "__main__":
    main()
