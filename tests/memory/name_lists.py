"""Names from general knowledge. The table of respelt names has learnt some of these: a floor, not a measure."""

# a line: spellings of one name
GROUPS = """
Siobhan Shivawn Chevonne Shavonne Shivaun
Caleb Kaleb Kayleb Caileb
Ann Anne An
Joaquin Joaquín Wakeen Waquin
Stephen Steven Steeven
Jon John
Sara Sarah Serah
Katherine Kathryn Catherine Catharine Kathrin
Xiu Shu Shiu
Sean Shawn Shaun
Niamh Neve Neeve Neave
Saoirse Seersha Sersha
Aoife Eefa Efa
Catriona Katrina Catrina
Jorge Horhay Horhe
Jose José Hosay Hozay
Juan Wan Huan
Guillermo Giyermo Guiyermo
Javier Havier Haviair
Michael Mikal Mykel Micheal
Jeffrey Geoffrey Jeffery Jeffry
Phillip Philip Filip
Megan Meghan Meagan Maygan
Rachel Rachael Raychel
Rebecca Rebekah Rebeca
Deborah Debra Debora
Teresa Theresa Tereza
Hailey Haley Hayley Haylee
Kayla Kaila Cayla
Caitlin Kaitlyn Katelyn Catelynn
Brian Bryan Brien
Erik Eric Erick
Mark Marc Marck
Carl Karl
Nicholas Nicolas Nickolas Nikolas
Zach Zack Zak
Isaac Isaak Izak
Aidan Aiden Ayden Aden
Allison Alison Allyson Alyson
Kristen Kristin Krysten Christen
Geoff Jeff
Sophia Sofia Sophiya
Muhammad Mohammed Mohamed Muhammed
Aisha Ayesha Aysha Aishah
Fatima Fatimah Fatema
Yusuf Yousef Yusef Youssef
Omar Umar Omarr
Priya Preeya Pria
Rajesh Rajeesh
Wojciech Voychek Voicheck
Agnieszka Agnieshka
Jerzy Yerzy
Krzysztof Kshishtof
Jan Yan Yahn
Johannes Yohannes Yohanes
Jürgen Jurgen Yurgen
Björn Bjorn Byorn
Søren Soren Sorin
Xiaoming Shaoming Shiaoming
Qing Ching
Zhang Jang
Nguyen Nuyen
Yuki Yukie Yooki
Haruki Harooki
Dmitri Dimitri Dmitry
Svetlana Svetlanna
Yevgeny Evgeny Yevgeni
Natalya Natalia Nataliya
Giovanni Jovanni Jiovanni
Giuseppe Juseppe Jusepe
Chiara Kiara Keyara
Luigi Luiji
Jacques Zhak Jaques
Genevieve Jenevieve Genevive
Margot Margo Margaux
Renee Renée Renay
Thierry Tierry Tieri
Beau Bo Bow
Hugh Hue Huw
Lee Leigh Li
Leah Lia Lea
Zoe Zoey Zoë
Chloe Khloe Cloe
Phoebe Feebee Pheobe
Isla Ila
Graham Graeme
Vivian Vivien Vyvyan
Lucy Lucie Luci
Abigail Abbigail Abigale
Amy Aimee Aimie
Kelly Kelley Kellie
Stacy Stacey Stacie
Tracy Tracey Tracie
Terry Teri Terri
Lynn Lynne Lin
Robin Robyn
Louis Louie
Neil Neal Niel
Alan Allen Allan
Marian Marion
Isabel Isabelle Isobel Izabel
Jaclyn Jacklyn
Cindy Cyndi Sindy
Cynthia Sinthia
Cecilia Cecelia Sesilia
Jasmine Jasmin Jazmine
Zeynep Zaynep
Ngozi Engozi
Chidi Cheedy Chidy
Kwame Kwami Quame
Thandiwe Tandiwe
"""

# names of different people that are easily taken for each other
DIFFERENT = """
Anna/Hannah Ben/Dan Tim/Tom Maria/Marie Maria/Mario Julia/Julie Julia/Julio Julia/Juliet Paul/Paula Eric/Erica
Carl/Carol Jean/Jane Jane/Joan Joan/John Jan/Jen Jen/June Dan/Don Dan/Dean Den/Dan Ben/Bin Mark/Marco Mark/Mike
Mick/Mike Kate/Kit Lara/Laura Lena/Lina Mia/Maya Mia/May Luca/Lucas Luke/Luca Rob/Rod Rob/Ron Ron/Don Pat/Pam Sam/Sean
Sean/Sian Simon/Simone Justin/Justine Daniel/Danielle Gabriel/Gabrielle Michael/Michelle Martin/Martine Lisa/Liza
Elisa/Eliza Liz/Lisa Liz/Elizabeth Bob/Rob Bill/Will Bill/Phil Phil/Will Jack/Jake Jack/Zack Jake/Kate Jim/Tim Jim/Kim
Kim/Tim Kim/Cam Tina/Dina Tina/Gina Gina/Nina Nina/Mina Mina/Mia Ella/Ellie Ella/Emma Emma/Amy Emma/Anna Anna/Ann
Anna/Anya Anya/Tanya Tanya/Tina Ian/Jan Ivan/Evan Evan/Ethan Ivan/Yvonne Helen/Helena Ellen/Helen Ellen/Alan
Ellen/Elena Erin/Karen Karen/Corin Karen/Carina Harry/Henry Harry/Larry Harry/Barry Barry/Gary Gary/Kerry Kerry/Carrie
Kerry/Kelly Kelly/Kylie Kyle/Kylie Kyle/Cal Molly/Polly Polly/Paul Sally/Sandy Sandy/Cindy Mandy/Andy Andy/Andrew
Andre/Andrea Andrew/Andrea Cindy/Sidney Peter/Petra Petra/Pedro Peter/Pete Victor/Victoria Alex/Alexa Alex/Alexis
Alexis/Alexa Nick/Nicky Nicole/Nicola Nicola/Nicholas Nora/Nura Nora/Laura Flora/Laura Laura/Lauren Lauren/Lorna
Susan/Suzanne Susan/Susie Rose/Rosa Rosa/Rosie Rosa/Ross Ross/Russ Roy/Ray Ray/Rhea Leo/Leah Leo/Theo Theo/Thea
Lia/Liam Liam/Ian Leon/Liam Leon/Lena Omar/Amir Amir/Emir Ali/Eli Eli/Ellie Ahmed/Hamid Hassan/Hussein Hamza/Hasan
Amina/Amin Karim/Karima Salim/Salma Chen/Shen Chan/Shan Li/Lu Wei/Hui Ming/Meng Ming/Ning Ling/Ming Xin/Jin Yuki/Yuko
Haruki/Haruka Kenji/Koji Akira/Akiko Priya/Pia Ravi/Rani Arjun/Arun Arun/Aaron Amit/Ajit Anil/Sunil Nikhil/Nicole
Rohan/Roman Rohan/Ronan Olga/Helga Ivan/Ian Anton/Antonia Anton/Antoine Anthony/Antonia Marta/Martin Marina/Maria
Marina/Marion Katya/Kate Katya/Kathy Kathy/Cassie Kate/Katie Pavel/Paul Pablo/Paulo Diego/Diana Diana/Diane
Diana/Deanna Dana/Dina Dana/Donna Donna/Dana Hans/Hannah Hans/Anne Heidi/Haydn Heike/Hank Inga/Ingrid Lars/Laura
Lars/Liz Jens/Jan Jens/Jess Jess/Jen Bess/Beth Beth/Betty Seth/Beth Sue/Lou Drew/Sue Hugh/Sue Joe/Joy Joy/Roy Joe/Zoe
Chloe/Cleo Claire/Clara Clara/Lara Claire/Blair Fiona/Viona Fay/Kay Kay/Jay Jay/Ray May/Kay Vera/Sarah Vera/Fera
Sara/Zara Sara/Tara Cara/Tara Carla/Carlo Carla/Clara Carlos/Carla Carol/Carla Carol/Caroline Ruth/Rita Ruby/Robbie
Bruno/Bruna Boris/Doris Doris/Dora Cora/Dora Cora/Corey Corey/Kerry Gwen/Wen Glen/Ben Glen/Gwen Grace/Greece
Greg/Craig Craig/Greta Fred/Freda Fred/Frida Frank/Franka Frances/Francesca Bella/Della Bella/Bill Tess/Bess Ted/Tad
Ted/Fred Todd/Ted Matt/Nat Mattie/Mary Mary/Marie Mary/Murray Murray/Maurice Morris/Maurice Horace/Morris Noah/Nora
Noa/Noel Noel/Nell Nell/Neil Neil/Nile Kyle/Neil Gale/Gil Abby/Abe Abby/Debbie Debbie/Bobby Bobby/Barbie Danny/Donny
Danny/Denny Denny/Jenny Jenny/Johnny Jenny/Ginny Penny/Benny Benny/Bonnie Bonnie/Connie Connie/Kenny Kenny/Kevin
Kevin/Gavin Calvin/Kevin Colin/Kalen Calum/Colin Owen/Ewan Owen/Ian Ewan/Ian Wayne/Wen Wayne/Dwayne Shane/Shawn
Shane/Jane Shannon/Sharon Sharon/Karen Shona/Shauna Shauna/Sheena Sheena/Gina Tony/Tina Toby/Tobias Mona/Monica
Monica/Veronica Erica/Monica Hilda/Hilary Gloria/Lori Lori/Larry Terry/Jerry Perry/Terry Perry/Barry Cherry/Sherry
Sherry/Cheryl Meryl/Beryl Mabel/Maeve Mavis/Travis Travis/Trevor Dustin/Justin Austin/Justin Austin/Augustine
Mason/Jason Jason/Jaden Aidan/Jaden Hayden/Aidan Logan/Megan Tegan/Megan Regan/Ryan Ryan/Brian Bryan/Byron Byron/Myron
Myra/Mira Mira/Mara Mara/Mary Moira/Maura Maura/Mara Laila/Lola Lyla/Leila Lily/Layla Lily/Lila Lily/Leo
"""

# common first names of several languages
COMMON = """
James Robert John Michael David William Richard Joseph Thomas Christopher Charles Daniel Matthew Anthony Mark Donald
Steven Andrew Paul Joshua Kenneth Kevin Brian Timothy Ronald George Jason Edward Jeffrey Ryan Jacob Nicholas Gary Eric
Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Frank Raymond Jack Dennis Jerry
Tyler Aaron Jose Adam Nathan Henry Zachary Douglas Peter Kyle Noah Ethan Jeremy Christian Walter Keith Austin Roger
Terry Sean Gerald Carl Dylan Harold Jordan Jesse Bryan Lawrence Arthur Gabriel Bruce Logan Billy Joe Alan Juan Elijah
Willie Albert Wayne Randy Mason Vincent Liam Roy Bobby Caleb Bradley Russell Lucas Mary Patricia Jennifer Linda
Elizabeth Barbara Susan Jessica Karen Sarah Lisa Nancy Sandra Betty Ashley Emily Kimberly Margaret Donna Michelle
Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Dorothy Amy Kathleen Angela Shirley Emma Brenda
Pamela Nicole Anna Samantha Katherine Christine Debra Rachel Carolyn Janet Maria Olivia Heather Helen Catherine Diane
Julie Victoria Joyce Lauren Kelly Christina Ruth Joan Virginia Judith Evelyn Hannah Andrea Megan Cheryl Jacqueline
Madison Teresa Abigail Sophia Martha Sara Gloria Janice Kathryn Ann Isabella Judy Charlotte Julia Grace Amber Alice
Jean Denise Frances Danielle Marilyn Natalie Beverly Diana Brittany Theresa Kayla Alexis Doris Lori Tiffany Hans Klaus
Jürgen Stefan Uwe Wolfgang Dieter Heinz Monika Ursula Petra Sabine Renate Heike Birgit Anke Silke Lena Mia Leonie Finn
Jonas Felix Moritz Emil Pierre Michel Philippe Alain Bernard Christophe Nathalie Isabelle Sylvie Chantal Camille
Antoine Hugo Louis Jules Giulia Francesca Marco Luca Matteo Alessandro Lorenzo Paolo Elena Chiara Carlos Miguel Luis
Pedro Alejandro Sofia Lucia Carmen Pilar Ines Rosa Manuel Jorge Fernando Diego Pablo Ivan Dmitri Sergei Olga Natasha
Svetlana Tatiana Irina Boris Vladimir Igor Yuri Anastasia Mohammed Ahmed Ali Fatima Aisha Omar Hassan Hussein Khadija
Layla Yusuf Ibrahim Zainab Mariam Priya Raj Rahul Ananya Arjun Deepak Sanjay Anil Sunita Lakshmi Kavita Vijay Rohan
Neha Pooja Wei Ming Li Xin Jing Hui Yan Chen Hiroshi Kenji Yuki Akira Haruto Sakura Naoko Takashi Keiko Emi Kofi Kwame
Ama Chidi Ngozi Amara Thabo Zola Sipho Astrid Lars Ingrid Sven Bjorn Freya Nils Anders Kirsten Jan Piotr Agnieszka
Magda Tomasz Ewa Zofia Eoin Aoife Niamh Ciara Declan Rory Nia Rhys Dafydd Gwen Alun Mehmet Ayse Emre Zeynep Elif Minh
Linh Anh Thuy Jin Soo Hana Min
"""
